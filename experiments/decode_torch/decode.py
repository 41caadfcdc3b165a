"""Decode steps of Hugging Face transformers, one timed observation a step.

`--cache dynamic` issues every operation from Python as it comes, with a cache that grows. `--cache static` has a cache
of fixed size and the step compiled by `torch.compile`; on CUDA with `mode="reduce-overhead"`, which replays it as a
CUDA graph. Prefill, compilation and warm-up are outside the timed steps, and both begin from the same prefilled cache.

The weights are random. The tokens that are fed are drawn from the seed: were they those that the steps choose, a near
tie that rounding resolves differently would change every later step. After the timed steps, the logits of each are
compared with those of the same steps on a dynamic cache without compilation; where they differ by more than the
tolerance, the program fails and there is no result. It fails likewise where a compiled step is compiled again between
timed steps, or is not replayed as a graph on CUDA.

Written for transformers 5.24 and torch 2.15. Prints `prereg-observations/1` on standard output.
"""

import argparse
import hashlib
import json
import sys
import time

import torch
from torch._dynamo.utils import counters
from transformers import DynamicCache, Qwen2Config, Qwen2ForCausalLM, StaticCache

# Qwen2 shapes: one that a CPU decodes in milliseconds, and the published Qwen-2.5-7B.
SHAPES = {
    "tiny": dict(
        hidden_size=256, intermediate_size=768, num_hidden_layers=4, num_attention_heads=4, num_key_value_heads=2,
        vocab_size=4096,
    ),
    "qwen2.5-7b": dict(
        hidden_size=3584, intermediate_size=18944, num_hidden_layers=28, num_attention_heads=28, num_key_value_heads=4,
        vocab_size=152_064, rope_parameters={"rope_theta": 1_000_000.0, "rope_type": "default"},
    ),
}
DTYPES = {"cpu": torch.float32, "cuda": torch.bfloat16}
# Largest accepted difference of logits, as a share of the largest logit. Rounding leaves about 1e-6 in float32; in
# bfloat16, steps of the same model against one full pass were seen to differ by some 5e-3.
TOLERANCES = {torch.float32: 1e-4, torch.bfloat16: 3e-2}
WARMUP_STEPS = 5


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=list(DTYPES), required=True)
    parser.add_argument("--shape", choices=list(SHAPES), required=True)
    parser.add_argument("--cache", choices=["dynamic", "static"], required=True)
    parser.add_argument("--context", type=int, required=True, help="tokens in the cache before the first timed step")
    parser.add_argument("--steps", type=int, required=True, help="timed steps")
    parser.add_argument("--seed", type=int, required=True, help="of weights and tokens")
    parser.add_argument("--threads", type=int, help="threads of a CPU's kernels")
    return parser.parse_args()


class Caches:
    """Empty caches of one model."""

    def __init__(self, options, config):
        self.config = config
        self.length = options.context + options.steps
        self.kept = None

    def dynamic(self):
        """A cache that grows, a new one each time."""
        return DynamicCache(config=self.config)

    def static(self):
        """A cache of fixed size, the same one each time: what is compiled for it stays valid."""
        if self.kept is None:
            self.kept = StaticCache(config=self.config, max_cache_len=self.length)
        else:
            self.kept.reset()
        return self.kept


class Decoder:
    """A model, the tokens of its prompt and of its steps, and one way to run the steps."""

    def __init__(self, options):
        self.device = options.device
        self.context = options.context
        torch.manual_seed(options.seed % 2**63)
        torch.set_default_dtype(DTYPES[self.device])
        torch.set_default_device(self.device)
        self.config = Qwen2Config(**SHAPES[options.shape], tie_word_embeddings=False)
        self.model = Qwen2ForCausalLM(self.config).eval()
        self.tokens = torch.randint(self.config.vocab_size, (1, self.context + options.steps))
        self.positions = torch.arange(self.context + options.steps)[None]
        self.call = self.model

    def compile(self):
        """Compiles the step, whole, for a cache that stays where it is."""
        mode = "reduce-overhead" if self.device == "cuda" else "default"
        self.call = torch.compile(self.model, mode=mode, fullgraph=True)

    def prefilled(self, cache):
        """The cache after the prompt."""
        self.model(
            self.tokens[:, : self.context], position_ids=self.positions[:, : self.context], cache=cache,
            logits_to_keep=1,
        )
        return cache

    def step(self, index, cache):
        """One step: the logits of the next token, and the token that they choose."""
        at = slice(self.context + index, self.context + index + 1)
        logits = self.call(self.tokens[:, at], position_ids=self.positions[:, at], cache=cache).logits[0, -1]
        return logits, logits.argmax()

    def timed(self, steps, cache):
        """Times of the steps in seconds, with their logits and the chosen tokens."""
        times, logits, chosen = [], [], []
        for index in range(steps):
            torch.compiler.cudagraph_mark_step_begin()
            self.wait()
            began = time.perf_counter_ns()
            step_logits, token = self.step(index, cache)
            self.wait()
            times.append((time.perf_counter_ns() - began) / 1e9)
            # A replayed graph writes its outputs to the same place each time.
            logits.append(step_logits.clone())
            chosen.append(token.item())
        return times, torch.stack(logits), chosen

    def wait(self):
        """Until the device has done what it was given; a CPU already has."""
        if self.device == "cuda":
            torch.cuda.synchronize()


def run(options):
    """Times, logits and tokens of the timed steps; and the logits that they should have."""
    decoder = Decoder(options)
    caches = Caches(options, decoder.config)
    _, expected, _ = decoder.timed(options.steps, decoder.prefilled(caches.dynamic()))
    if options.cache == "static":
        decoder.compile()
    fresh = getattr(caches, options.cache)
    decoder.timed(min(WARMUP_STEPS, options.steps), decoder.prefilled(fresh()))
    started = decoder.prefilled(fresh())
    torch.compiler.set_stance("fail_on_recompile")
    times, logits, chosen = decoder.timed(options.steps, started)
    # The compiler launches kernel by kernel where it finds that it cannot capture a graph, and only counts that.
    if counters["inductor"]["cudagraph_skips"]:
        sys.exit("the step was not captured as a CUDA graph: see TORCH_LOGS=cudagraphs")
    return times, logits, chosen, expected


def main():
    options = arguments()
    if options.threads:
        torch.set_num_threads(options.threads)
    with torch.no_grad():
        times, logits, chosen, expected = run(options)
    difference = ((logits - expected).abs().max() / expected.abs().max()).item()
    print(f"largest difference of logits, as a share of the largest: {difference:.2e}", file=sys.stderr)
    if not difference <= TOLERANCES[expected.dtype]:
        sys.exit("the logits are not those of the dynamic cache without compilation")
    print(json.dumps({"prereg": "prereg-observations/1", "units": {"step_time": "s", "tokens": "token"}}))
    for seconds, token in zip(times, chosen):
        digest = hashlib.sha256(str(token).encode()).hexdigest()
        print(json.dumps({"step_time": seconds, "tokens": 1, "output": digest}))
    print(json.dumps({"end": {"observations": len(times)}}))


if __name__ == "__main__":
    main()
