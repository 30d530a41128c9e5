"""predicted_counts.py ZPLC ZPL-PREDICT FOLDER PROGRAM [-sNAME=VALUE ...] [--INPUT=VALUE ...] -- P ...

Runs the program on a simulated machine with P processors and --profile, and
predicts the same from its cost model. Prints each line whose messages or bytes
differ, and at last how many lines agree; ends with status 1 if any differs.
Operations that a model does not count (of timers, allocation, the end) are left
out; calls are compared but for output, where a statement counts each item.
"""
import re
import subprocess
import sys

UNCOUNTED = {"memory", "allocation", "timer", "end", "start"}


def output(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return done.stdout, done.stderr


def profile(text):
    """{(place, operation): (calls, messages, bytes)} of --profile."""
    rows = re.findall(r"^(\S+:\d+) +(\w+) +(\d+) +(\d+) +(\d+) ", text, re.M)
    return {(place, kind): tuple(map(int, numbers)) for place, kind, *numbers in rows
            if kind not in UNCOUNTED}


def prediction(text):
    rows = re.findall(r"^(\S+:\d+) +([\w-]+) +(\S+) +(\S+) +(\S+)$", text, re.M)
    return {(place, kind): tuple(map(float, numbers)) for place, kind, *numbers in rows}


def differs(real, predicted, kind):
    if real is None or predicted is None:
        return (real or predicted)[1] != 0  # nothing is sent
    skipped = 1 if kind == "output" else 0
    return real[skipped:] != predicted[skipped:]


def main():
    zplc, predict, folder, program = sys.argv[1:5]
    end = sys.argv.index("--")
    values, processors = sys.argv[5:end], sys.argv[end + 1:]
    settings = [v for v in values if v.startswith("-s")]
    exe, model = f"{folder}/program", f"{folder}/program.cost"
    output([zplc, program, "-o", exe])
    output([zplc, program, "-emit-cost-model", "-o", model])
    agree = differ = 0
    for p in processors:
        real = profile(output([exe, *settings, f"-p{p}", "--transport=sim",
                               "--sim-compute=none", "--profile"])[1])
        predicted = prediction(output([predict, model, f"-p{p}", "--counts", *values])[0])
        for key in sorted(real.keys() | predicted.keys()):
            counts = real.get(key), predicted.get(key)
            if differs(*counts, key[1]):
                print(f"p={p} {key}: counted {counts[0]}, predicted {counts[1]}")
                differ += 1
            elif all(counts) and counts[0][1] > 0:
                agree += 1
    print(f"{agree} agree, {differ} differ")
    sys.exit(differ > 0 or agree == 0)


main()
