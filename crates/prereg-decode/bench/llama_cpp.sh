#!/bin/sh
# Decode against llama.cpp: same shape, dtype, context and number of threads, in alternating slots.
#
#     crates/prereg-decode/bench/llama_cpp.sh FOLDER
#
# FOLDER keeps the Python environment (llama.cpp is built from source: minutes of CPU) and the weight files (2 GB).
set -eu
folder=${1:?"usage: llama_cpp.sh FOLDER"}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
if ! [ -x "$folder/env/bin/python3" ]; then
    python3 -m venv "$folder/env"
fi
# GGML_NATIVE, its default, builds for this machine's instruction set.
"$folder/env/bin/pip" install --quiet llama-cpp-python==0.3.36 gguf==0.19.0 numpy==2.3.5
cargo build --release --quiet --manifest-path "$here/../Cargo.toml" --example step_bandwidth
target=${CARGO_TARGET_DIR:-"$here/../../../target"}
exec "$folder/env/bin/python3" "$here/alternate.py" "$target/release/examples/step_bandwidth" "$folder"
