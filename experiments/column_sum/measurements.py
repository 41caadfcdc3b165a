"""Writes `measurements.txt`, the input of the two programs: 10 000 lines of a name and a number.

The numbers are those of the generator x -> 48271 x mod (2^31 - 1), started at 1 (Park, Miller and Stockmeyer, 1993),
so that the file is the same wherever it is written.
"""

from pathlib import Path

LINES = 10_000


def numbers():
    """The generator's values, without end."""
    value = 1
    while True:
        value = 48_271 * value % (2**31 - 1)
        yield value


def main():
    values = numbers()
    lines = (f"sensor{next(values) % 1000:03} {next(values) % 100_000 / 100:.2f}\n" for _ in range(LINES))
    Path(__file__).with_name("measurements.txt").write_text("".join(lines), encoding="ascii", newline="\n")


if __name__ == "__main__":
    main()
