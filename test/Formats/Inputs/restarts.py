"""restarts.py EXE FILE [INTERPRETER...]: a checkpoint has the same bytes however it is
written, and a run goes on from it on any processors as one that was never stopped."""
import subprocess
import sys

program, path, *interpreter = sys.argv[1:]


def run(command, options):
    found = subprocess.run([*command, *options, f"-sname={path}"], capture_output=True, text=True,
                           timeout=60, check=False)
    if found.returncode or found.stderr:
        sys.exit(f"{options}: status {found.returncode}: {found.stderr}")
    return found.stdout


ways = [([program], options) for options in (
    ["-p1"], ["-p2"], ["-p6"], ["-p4", "-g1x4", "-gG=4x1"], ["-p3", "-g3x1"])]
if interpreter:
    ways.append(([*interpreter, "--"], []))
wanted = bytes_of = None
for command, options in ways:
    output = run(command, [*options, "-slabel=a label"])
    with open(path, "rb") as file:
        found = file.read()
    wanted, bytes_of = wanted or output, bytes_of or found
    if output != wanted:
        sys.exit(f"{options}: {output}instead of\n{wanted}")
    if found != bytes_of:
        sys.exit(f"{options}: other bytes")
for command, options in ways:
    output = run(command, [*options, f"--restart={path}"])
    if output != wanted:
        sys.exit(f"{options}: goes on with\n{output}instead of\n{wanted}")
print("all alike")
