"""Time of 10 000 resamples of 1 000 values: this crate against scipy.stats.bootstrap, one processor.

Needs numpy and scipy, and the example built before:

    cargo build --release -p prereg-stats --example speed
    python3 speed.py target/release/examples/speed

Both programs resample the same values for the same percentile interval, in turns, pinned to one
processor. Prints the median of the repeats of each in milliseconds, and the median of the ratios.
"""

import os
import statistics
import subprocess
import sys
import time

import numpy
import scipy

RESAMPLES, VALUES, REPEATS = 10_000, 1_000, 11


def ratio_of_medians(first, second, axis):
    return numpy.median(first, axis=axis) / numpy.median(second, axis=axis)


def scipy_milliseconds(data, statistic, paired):
    rng = numpy.random.default_rng(1)
    start = time.perf_counter()
    scipy.stats.bootstrap(
        data,
        statistic,
        n_resamples=RESAMPLES,
        batch=100,  # the fastest for scipy here
        vectorized=True,
        paired=paired,
        method="percentile",
        rng=rng,
    )
    return (time.perf_counter() - start) * 1e3


def main():
    os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[0]})
    rng = numpy.random.default_rng(20261201)
    first = numpy.exp(0.05 * rng.standard_normal(VALUES))
    second = numpy.exp(0.05 * rng.standard_normal(VALUES))
    own = subprocess.Popen(
        sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )
    for values in (first, second):
        own.stdin.write(" ".join(repr(float(value)) for value in values) + "\n")

    def own_milliseconds(what):
        own.stdin.write(what + "\n")
        own.stdin.flush()
        return float(own.stdout.readline())

    print(f"scipy {scipy.__version__}, numpy {numpy.__version__}, one processor, {REPEATS} repeats in turns")
    print("statistic\tscipy ms\tprereg-stats ms\tratio")
    for what, data, statistic, paired in [
        ("mean", (first,), numpy.mean, False),
        ("median", (first,), numpy.median, False),
        ("paired", (first, second), ratio_of_medians, True),
    ]:
        theirs, ours = [], []
        for _ in range(REPEATS):
            theirs.append(scipy_milliseconds(data, statistic, paired))
            ours.append(own_milliseconds(what))
        ratio = statistics.median(t / o for t, o in zip(theirs, ours))
        print(f"{what}\t{statistics.median(theirs):.1f}\t{statistics.median(ours):.1f}\t{ratio:.1f}")


main()
