"""Bootstrap intervals by scipy on random data sets, recorded for `tests/evidence_recorded.rs`.

Writes `scipy.json` beside this file: the data sets, and the 95 % intervals of scipy.stats.bootstrap.
`recorded.R` reads the same data sets. Needs numpy and scipy.

    python3 recorded.py

Values are multiples of 2^-20, so that sums are exact: a resample whose mean equals the mean of the
data is then counted as a tie by every program, and not by the rounding of its summation.
"""

import json
import pathlib
import platform

import numpy
import scipy

SEED = 20261201
RESAMPLES = 200_000
LEVEL = 0.95
SIZES = [5, 10, 15, 30]
LAWS = {
    "normal": lambda rng, n: 10 + rng.standard_normal(n),
    "lognormal": lambda rng, n: numpy.exp(0.5 * rng.standard_normal(n)),
    "t3": lambda rng, n: 20 + rng.standard_t(3, n),
    "exponential": lambda rng, n: 1 + rng.exponential(1.0, n),
}


def on_grid(values):
    return numpy.round(values * 2**20) / 2**20


def interval(data, statistic, method, paired, rng):
    result = scipy.stats.bootstrap(
        data,
        statistic,
        n_resamples=RESAMPLES,
        batch=20_000,
        vectorized=True,
        paired=paired,
        confidence_level=LEVEL,
        method=method,
        rng=rng,
    )
    return [float(end) for end in result.confidence_interval]


def intervals(data, statistic, paired, rng):
    return {
        method.lower(): interval(data, statistic, method, paired, rng)
        for method in ["percentile", "basic", "BCa"]
    }


def ratio_of_medians(first, second, axis):
    return numpy.median(first, axis=axis) / numpy.median(second, axis=axis)


def main():
    rng = numpy.random.default_rng(SEED)
    samples, pairs = [], []
    for law, draw in LAWS.items():
        for size in SIZES:
            values = on_grid(draw(rng, size))
            samples.append(
                {
                    "name": f"{law}-{size}",
                    "values": values.tolist(),
                    "mean": intervals((values,), numpy.mean, False, rng),
                    "median": intervals((values,), numpy.median, False, rng),
                }
            )
            # A common factor makes the arms of a pair depend on each other.
            common = 1 + 0.05 * rng.standard_normal(size)
            first, second = (on_grid(common * draw(rng, size)) for _ in range(2))
            pairs.append(
                {
                    "name": f"{law}-{size}",
                    "first": first.tolist(),
                    "second": second.tolist(),
                    "ratio_of_medians": intervals(
                        (first, second), ratio_of_medians, True, rng
                    ),
                }
            )
    recorded = {
        "versions": {
            "python": platform.python_version(),
            "numpy": numpy.__version__,
            "scipy": scipy.__version__,
        },
        "seed": SEED,
        "resamples": RESAMPLES,
        "level": LEVEL,
        "samples": samples,
        "pairs": pairs,
    }
    path = pathlib.Path(__file__).with_name("scipy.json")
    path.write_text(json.dumps(recorded, indent=1) + "\n")


main()
