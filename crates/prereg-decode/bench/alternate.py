"""Times single-token decode of llama.cpp and of this crate in alternating slots and prints the ratios.

Both sides hold random normal bf16 weights of the same shape, start each slot from 512 cached positions and take the
median step of a slot. llama.cpp runs in each setting of SETTINGS; a ratio is its step time over ours, slot by slot, so
above 1 this crate is faster. Only neighbouring slots are compared: a machine's bandwidth drifts.
"""

import ctypes
import json
import pathlib
import statistics
import subprocess
import sys
import time

import gguf
import llama_cpp
import numpy

CONTEXT, STEPS, ROUNDS = 512, 10, 9

# hidden, layers, heads, kv heads, head size, intermediate, vocabulary, epsilon, rotary base; both are tied.
SHAPES = {
    "smollm2-135m": ("llama", 576, 30, 9, 3, 64, 1536, 49152, 1e-5, 1e5),
    "qwen2.5-0.5b": ("qwen2", 896, 24, 14, 2, 64, 4864, 151936, 1e-6, 1e6),
}

# Name: flash attention, memory-mapped weights.
SETTINGS = {
    "plain": (False, True),
    "flash attention": (True, True),
    "flash attention, not mapped": (True, False),
}


def write_weights(path, name):
    arch, hidden, layers, heads, kv_heads, head, intermediate, vocab, eps, base = SHAPES[name]
    random = numpy.random.default_rng(1)
    writer = gguf.GGUFWriter(path, arch)
    writer.add_context_length(8192)
    writer.add_embedding_length(hidden)
    writer.add_block_count(layers)
    writer.add_feed_forward_length(intermediate)
    writer.add_head_count(heads)
    writer.add_head_count_kv(kv_heads)
    writer.add_layer_norm_rms_eps(eps)
    writer.add_rope_freq_base(base)
    writer.add_rope_dimension_count(head)
    writer.add_vocab_size(vocab)
    writer.add_tokenizer_model("no_vocab")

    def matrix(tensor, rows, columns):
        values = random.standard_normal((rows, columns), dtype=numpy.float32) * numpy.float32(0.02)
        bits = (values.view(numpy.uint32) >> 16).astype(numpy.uint16)
        writer.add_tensor(tensor, bits.view(numpy.uint8), raw_dtype=gguf.GGMLQuantizationType.BF16)

    def vector(tensor, size, mean):
        writer.add_tensor(tensor, (mean + 0.02 * random.standard_normal(size)).astype(numpy.float32))

    matrix("token_embd.weight", vocab, hidden)
    for layer in range(layers):
        block = f"blk.{layer}."
        vector(block + "attn_norm.weight", hidden, 1)
        for part, rows in (("q", heads * head), ("k", kv_heads * head), ("v", kv_heads * head)):
            matrix(f"{block}attn_{part}.weight", rows, hidden)
            if arch == "qwen2":
                vector(f"{block}attn_{part}.bias", rows, 0)
        matrix(block + "attn_output.weight", hidden, heads * head)
        vector(block + "ffn_norm.weight", hidden, 1)
        matrix(block + "ffn_gate.weight", intermediate, hidden)
        matrix(block + "ffn_up.weight", intermediate, hidden)
        matrix(block + "ffn_down.weight", hidden, intermediate)
    vector("output_norm.weight", hidden, 1)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


class Llama:
    """One setting of llama.cpp with 512 cached positions."""

    def __init__(self, path, threads, flash, mapped):
        parameters = llama_cpp.llama_model_default_params()
        parameters.use_mmap = mapped
        self.model = llama_cpp.llama_model_load_from_file(str(path).encode(), parameters)
        parameters = llama_cpp.llama_context_default_params()
        parameters.n_ctx = CONTEXT + 2 * STEPS
        parameters.n_batch = CONTEXT
        parameters.n_threads = parameters.n_threads_batch = threads
        parameters.flash_attn_type = int(flash)
        self.context = llama_cpp.llama_init_from_model(self.model, parameters)
        if not self.model or not self.context:
            sys.exit("llama.cpp could not load the weights")
        self.decode(list(range(CONTEXT)))

    def decode(self, tokens):
        array = (llama_cpp.llama_token * len(tokens))(*tokens)
        batch = llama_cpp.llama_batch_get_one(array, len(tokens))
        if llama_cpp.llama_decode(self.context, batch) != 0:
            sys.exit("llama.cpp could not decode")
        llama_cpp.llama_synchronize(self.context)

    def slot(self):
        """Nanoseconds a step, the median of a slot."""
        memory = llama_cpp.llama_get_memory(self.context)
        llama_cpp.llama_memory_seq_rm(memory, 0, CONTEXT, -1)
        times = []
        for _ in range(STEPS):
            start = time.monotonic_ns()
            self.decode([7])
            times.append(time.monotonic_ns() - start)
        return statistics.median(times)

    def close(self):
        llama_cpp.llama_free(self.context)
        llama_cpp.llama_model_free(self.model)


class Ours:
    """The benchmark of this crate, answering slot by slot."""

    def __init__(self, program, shape, threads):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.child = subprocess.Popen([program, "--slots", shape, str(threads)], **pipes)

    def slot(self):
        self.child.stdin.write("\n")
        self.child.stdin.flush()
        return json.loads(self.child.stdout.readline())

    def close(self):
        self.child.stdin.close()
        self.child.wait()


def compare(program, path, shape, threads):
    ours = Ours(program, shape, threads)
    others = {name: Llama(path, threads, *setting) for name, setting in SETTINGS.items()}
    steps, shares, times, ratios = [], [], {name: [] for name in others}, {name: [] for name in others}
    for _ in range(ROUNDS):
        for name, other in others.items():
            slot = ours.slot()
            steps.append(slot["step_ns"])
            shares.append(slot["step_bytes"] / slot["step_ns"] / (slot["sweep_bytes"] / slot["sweep_ns"]))
            times[name].append(other.slot())
            ratios[name].append(times[name][-1] / slot["step_ns"])
    ours.close()
    for name, other in others.items():
        other.close()
        print(
            f"| {shape} | {threads} | {statistics.median(steps) / 1e6:.2f} | {statistics.median(shares):.2f} "
            f"| {name} | {statistics.median(times[name]) / 1e6:.2f} | {statistics.median(ratios[name]):.2f} |",
            flush=True,
        )


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    silent = llama_cpp.llama_log_callback(lambda level, text, data: None)
    llama_cpp.llama_log_set(silent, ctypes.c_void_p(0))
    llama_cpp.llama_backend_init()
    print(f"context {CONTEXT}, {ROUNDS} rounds of {STEPS} steps a slot, llama-cpp-python {llama_cpp.__version__}")
    print("| shape | threads | step ms | of read bandwidth | llama.cpp | step ms | ratio |")
    print("|---|---|---|---|---|---|---|")
    for shape in SHAPES:
        path = folder / f"{shape}.gguf"
        if not path.exists():
            partial = path.with_suffix(".partial")
            write_weights(partial, shape)
            partial.rename(path)
        for threads in (1, 2):
            compare(program, path, shape, threads)


if __name__ == "__main__":
    main()
