"""Runs a program again and again, whose end must be neither silent nor lose output.

    ends.py --times N [--lines N] [--silent] COMMAND...

Each time its output, in a file, must be the lines of Inputs/lines.z and the array
and no more, the status must not be 0, and standard error must have one line of
ours, the error's, at least; with both in one file the lines must come first.
Prints how often that was so, and what the first other run has given.
"""
import argparse
import collections
import subprocess
import tempfile
import time


def run(command, together):
    with tempfile.NamedTemporaryFile() as out, tempfile.NamedTemporaryFile() as err:
        status = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out,
                                stderr=out if together else err, check=False,
                                timeout=50).returncode
        if status < 0:
            time.sleep(0.5)  # a keeper writes the rest, and nobody waits for it
        texts = []
        for file in (out, err):
            with open(file.name, encoding="utf-8", errors="replace") as written:
                texts.append(written.read())
        return status, texts[0], texts[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, required=True)
    parser.add_argument("--lines", type=int, default=300)
    parser.add_argument("--silent", action="store_true",
                        help="the signal that ends the run is all there is to say")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    expected = "".join(f"line {k}\n" for k in range(1, options.lines + 1))
    kinds = collections.Counter()
    for k in range(options.times):
        together = k % 2 == 1
        status, out, err = run(options.command, together)
        rest = out.removeprefix(expected)
        good = status != 0 and out.startswith(expected) and "\nafter" not in out
        messages = (rest if together else err).count("error: ")
        good = good and (options.silent or messages == 1)
        kinds["good" if good else "bad"] += 1
        if not good and kinds["bad"] == 1:
            print(f"run {k}: status {status}, {len(out)} bytes of output", out[:60], out[-200:], err[-300:], sep="\n")
    print(", ".join(f"{kind}: {count}" for kind, count in sorted(kinds.items())))


main()
