"""Recomputes what the five published tables beside this file say of each other.

Prints one observation for each published row that has a step time, and one for each cell of the grid of models, GPUs
and contexts that has no row: those ran out of memory. An observation leaves out the columns that its row says nothing
about. `--weights` chooses the weights that the floor counts:

- `total`: all of them, which is the convention of the published grid,
- `streamed`: without the table of input embeddings, of which a step reads one row,
- `blocks`: without the vocabulary projection either.
"""

import argparse
import csv
import json
from dataclasses import dataclass
from pathlib import Path

TOKENS_OF_AN_ACTION = (1, 7, 16)
CONTROL_RATES_HZ = (1, 10, 30)
BYTES_OF_BF16 = 2
# GPTQ with ExLlamaV2 stores the matrices of the blocks at 4.25 bits a weight, scales included, and leaves the
# vocabulary projection, the norms and the biases in 16 bits.
BYTES_OF_4_BIT = 4.25 / 8
FASTEST_4_BIT = "GPTQ+ExLlamaV2 4.25bpw"
# The cell that three of the tables have in common.
SHARED_MODEL, SHARED_CONTEXT = "Qwen-2.5-7B", 2048

UNITS = {
    "published_step": "ms",
    "floor": "ms",
    "r_floor": "1",
    "floor_error": "ms",
    "digits_off": "1",
    "falls_with_bandwidth": "1",
    "falls_with_context": "1",
    "growth": "1",
    "cost_per_million": "USD",
    "present_bytes": "GB",
    "absent_bytes": "GB",
    "h100_step": "ms",
    "h100_floor": "ms",
    "l4_step": "ms",
    "h100_graphed_cost": "USD",
    "l4_graphed_cost": "USD",
    "l4_four_bit_cost": "USD",
    "l4_speedup": "1",
    "r_four_bit": "1",
    **{f"chunk_rate_{tokens}": "Hz" for tokens in TOKENS_OF_AN_ACTION},
    **{f"reach_{tokens}_at_{rate}": "1" for tokens in TOKENS_OF_AN_ACTION for rate in CONTROL_RATES_HZ},
}


@dataclass(frozen=True)
class Shape:
    """A model's dimensions, from its published `config.json`."""

    layers: int
    hidden: int
    intermediate: int
    heads: int
    kv_heads: int
    head_dim: int
    vocabulary: int
    qkv_bias: bool

    @property
    def matrices(self):
        """Weights of the blocks' matrices: Q and O, K and V, and the three of the MLP."""
        attention = 2 * self.hidden * self.head_dim * (self.heads + self.kv_heads)
        return self.layers * (attention + 3 * self.hidden * self.intermediate)

    @property
    def vectors(self):
        """Weights of the norms, two a block and one at the end, and of the biases."""
        biases = self.head_dim * (self.heads + 2 * self.kv_heads) if self.qkv_bias else 0
        return self.layers * (2 * self.hidden + biases) + self.hidden

    def weight_bytes(self, counted, bytes_of_matrices=BYTES_OF_BF16):
        """W: the bytes of the weights that are counted. None of the models ties its two tables."""
        tables = {"total": 2, "streamed": 1, "blocks": 0}[counted]
        others = self.vectors + tables * self.vocabulary * self.hidden
        return self.matrices * bytes_of_matrices + others * BYTES_OF_BF16

    def kv_bytes(self, context):
        """K: keys and values of every layer and position, in bf16."""
        return 2 * self.layers * self.kv_heads * self.head_dim * context * BYTES_OF_BF16


SHAPES = {
    "Llama-3.1-8B": Shape(32, 4096, 14336, 32, 8, 128, 128_256, qkv_bias=False),
    # The vocabulary of v0.3. The 32 000 entries of v0.1 would put the floors of the L4 off by 0.04 ms.
    "Mistral-7B": Shape(32, 4096, 14336, 32, 8, 128, 32_768, qkv_bias=False),
    "Qwen-2.5-7B": Shape(28, 3584, 18944, 28, 4, 128, 152_064, qkv_bias=True),
}


def rows(name):
    with Path(__file__).with_name(name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


class Examination:
    def __init__(self, counted):
        self.counted = counted
        self.gpus = {row["gpu"]: row for row in rows("gpus.csv")}
        self.cells = {(row["model"], row["gpu"], int(row["context_tokens"])): row for row in rows("decode_cells.csv")}
        self.models = list(dict.fromkeys(model for model, _, _ in self.cells))
        self.contexts = sorted({context for _, _, context in self.cells})
        self.gpus_by_bandwidth = sorted(self.gpus, key=lambda gpu: float(self.gpus[gpu]["peak_bandwidth_gb_per_s"]))

    def floor_ms(self, model, gpu, context, counted=None, bytes_of_matrices=BYTES_OF_BF16):
        """(W + K) / peak bandwidth: no step can be faster that reads these bytes once."""
        shape = SHAPES[model]
        moved = shape.weight_bytes(counted or self.counted, bytes_of_matrices) + shape.kv_bytes(context)
        return moved / (float(self.gpus[gpu]["peak_bandwidth_gb_per_s"]) * 1e9) * 1e3

    def cost_per_million(self, gpu, step_ms):
        """Rent of the GPU for a million tokens at one token a step."""
        return float(self.gpus[gpu]["rate_usd_per_hour"]) / 3600 * step_ms / 1e3 * 1e6

    def observations(self):
        """Every table in turn."""
        for model in self.models:
            for gpu in self.gpus:
                for context in self.contexts:
                    yield self.cell(model, gpu, context)
        yield from map(self.graphs, rows("cuda_graphs_ab.csv"))
        yield from map(self.quantised, rows("quantised_decode.csv"))
        yield from (attention(row) for row in rows("attention_backends.csv") if row["layer_us_p50"])

    def cell(self, model, gpu, context):
        resident = (SHAPES[model].weight_bytes("total") + SHAPES[model].kv_bytes(context)) / 1e9
        row = self.cells.get((model, gpu, context))
        if row is None:
            return {"absent_bytes": resident}
        step = float(row["step_ms"])
        floor = self.floor_ms(model, gpu, context)
        found = {
            "published_step": step,
            "floor": floor,
            "r_floor": floor / step,
            "floor_error": abs(floor - float(row["floor_ms"])),
            "digits_off": off(float(row["floor_ms"]) / step, row["r_floor"], decimals=3),
            "cost_per_million": self.cost_per_million(gpu, step),
        }
        for tokens in TOKENS_OF_AN_ACTION:
            rate = 1e3 / (tokens * step)
            found[f"chunk_rate_{tokens}"] = rate
            found.update({f"reach_{tokens}_at_{wanted}": int(rate >= wanted) for wanted in CONTROL_RATES_HZ})
        found.update(self.order(model, gpu, context))
        if gpu == "L4":
            found["present_bytes"] = resident
        if (model, context) == (SHARED_MODEL, SHARED_CONTEXT) and gpu in ("H100", "L4"):
            found["h100_step" if gpu == "H100" else "l4_step"] = step
        return found

    def order(self, model, gpu, context):
        """The cell against its neighbours: the next slower GPU, the next shorter context, its series' shortest."""
        found = {}
        r_floor = float(self.cells[model, gpu, context]["r_floor"])
        slower = self.cells.get((model, before(self.gpus_by_bandwidth, gpu), context))
        if slower:
            found["falls_with_bandwidth"] = int(r_floor < float(slower["r_floor"]))
        shorter = self.cells.get((model, gpu, before(self.contexts, context)))
        if shorter:
            found["falls_with_context"] = int(r_floor < float(shorter["r_floor"]))
        series = [length for length in self.contexts if (model, gpu, length) in self.cells]
        if context == series[-1]:
            first, last = (float(self.cells[model, gpu, length]["step_ms"]) for length in (series[0], context))
            floors = [self.floor_ms(model, gpu, length) for length in (series[0], context)]
            found["growth"] = (last - first) / (floors[1] - floors[0])
        return found

    def graphs(self, row):
        """A row of the A/B of eager launches against a replayed graph."""
        gpu = row["gpu"]
        eager, graphed = float(row["eager_ms"]), float(row["graphed_ms"])
        name = gpu.lower()
        found = {
            f"{name}_step": eager,
            f"{name}_graphed_cost": self.cost_per_million(gpu, graphed),
            "digits_off": off(eager / graphed, row["speedup"], decimals=3),
        }
        if gpu == "H100":
            found["h100_floor"] = self.floor_ms(row["model"], gpu, int(row["context_tokens"]))
        else:
            found["l4_speedup"] = eager / graphed
        return found

    def quantised(self, row):
        """A row of the comparison of 4-bit runtimes."""
        model, gpu, context, step = row["model"], row["gpu"], int(row["context_tokens"]), float(row["step_ms"])
        found = {"digits_off": off(float(row["floor_ms"]) / step, row["r_floor"], decimals=3)}
        if row["runtime"] == "bf16":
            found["floor_error"] = abs(self.floor_ms(model, gpu, context) - float(row["floor_ms"]))
            found["l4_step"] = step
        if row["runtime"] == FASTEST_4_BIT:
            found["r_four_bit"] = self.floor_ms(model, gpu, context, bytes_of_matrices=BYTES_OF_4_BIT) / step
            found["l4_four_bit_cost"] = self.cost_per_million(gpu, step)
        return found


def attention(row):
    """A row of the attention kernels of one layer; the first is the one that the others are compared with."""
    layer = float(row["layer_us_p50"])
    default = float(rows("attention_backends.csv")[0]["layer_us_p50"])
    of_32_layers = off(32 * layer / 1e3, row["ms_32_layers"], decimals=2)
    return {"digits_off": max(of_32_layers, off(default / layer, row["speed_vs_default"], decimals=2))}


def off(recomputed, printed, decimals):
    """Difference in units of the last printed digit."""
    return abs(recomputed - float(printed)) * 10**decimals


def before(ordered, item):
    """The neighbour before an item; nothing for the first."""
    at = ordered.index(item)
    return ordered[at - 1] if at else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", choices=["total", "streamed", "blocks"], required=True)
    observations = list(Examination(parser.parse_args().weights).observations())
    print(json.dumps({"prereg": "prereg-observations/1", "units": UNITS}))
    for observation in observations:
        print(json.dumps(observation))
    print(json.dumps({"end": {"observations": len(observations)}}))


if __name__ == "__main__":
    main()
