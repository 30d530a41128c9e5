#!/usr/bin/env python3
"""What measuring in the run is worth, on kernels that nobody tuned for.

    bench/ways/measure.py --build build/dev [--rounds 5] [KERNEL ...]

Each kernel is run in turns: compiled without ways (the default), with each way
of its loops forced, measuring (--tune=run, the trials included), and with what
was measured (--tune-file). Prints the least processor seconds of each relative
to the default, and what was chosen.
"""
import argparse
import glob
import os
import resource
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def seconds(command):
    """Processor seconds of the run: others may use the machine."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def measure(zplc, source, rounds, options, folder):
    """Least seconds by what was run, and what -v says of the choices."""
    plain, ways, file = (os.path.join(folder, name)
                         for name in ("plain", "ways", "tune"))
    subprocess.run([zplc, "-O3", source, "-o", plain], check=True)
    subprocess.run([zplc, "-O3", "--tune=run", source, "-o", ways], check=True)
    if os.path.exists(file):
        os.unlink(file)
    long = subprocess.run([ways, f"--tune-file={file}", "-v", "-scount=40",
                           *options], capture_output=True, text=True, check=True)
    runs = {"default": [plain]}
    runs |= {f"way {k}": [ways, f"--tune=force:{k}"] for k in range(4)}
    runs |= {"measuring": [ways, "--tune=run"],
             "measured": [ways, "--tune=models", f"--tune-file={file}"]}
    least = {}
    for _ in range(rounds):
        for name, command in runs.items():
            time = seconds(command + ["-scount=40", *options])
            least[name] = min(time, least.get(name, time))
    choices = [line for line in long.stderr.splitlines() if " indices: " in line]
    return least, choices


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build/dev")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--run", default="", help="options of the program")
    parser.add_argument("kernels", nargs="*")
    options = parser.parse_args()
    zplc = os.path.join(os.path.abspath(options.build), "bin", "zplc")
    kernels = options.kernels or sorted(
        os.path.basename(path)[:-2] for path in glob.glob(f"{HERE}/*.z"))
    with tempfile.TemporaryDirectory() as folder:
        for kernel in kernels:
            least, choices = measure(zplc, f"{HERE}/{kernel}.z", options.rounds,
                                     options.run.split(), folder)
            print(f"{kernel}: default {least['default']:.4f} s; " + ", ".join(
                f"{name} {time / least['default']:.3f}"
                for name, time in least.items() if name != "default"), flush=True)
            for line in choices:
                print(f"  {line}")


main()
