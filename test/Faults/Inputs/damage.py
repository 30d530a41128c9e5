"""damage.py EXE FILE: whatever is cut off a checkpoint, and whichever byte of it is changed but for those between
items, a restart ends with status 1 and one message."""
import subprocess
import sys

program, path = sys.argv[1:]
with open(path, "rb") as file:
    whole = file.read()


def restart(contents):
    with open(path + ".bad", "wb") as file:
        file.write(contents)
    found = subprocess.run([program, f"--restart={path}.bad"], capture_output=True,
                           text=True, timeout=30, check=False)
    if found.returncode == 0:
        return None
    lines = found.stderr.splitlines()
    if found.returncode != 1 or len(lines) != 1 or "error: '" not in lines[0] or ".bad' " not in lines[0]:
        sys.exit(f"status {found.returncode}: {found.stderr}")
    return lines[0]


for length in [0, 1, 7, 8, 63, 64, 100, len(whole) // 2, len(whole) - 1]:
    if restart(whole[:length]) is None:
        sys.exit(f"{length} bytes are a checkpoint")
start = whole.index(b"program\t")
parts = [(0, 64), (start, len(whole))]
for line in whole[start:].decode().splitlines():
    if line.startswith("item"):
        offset, length = (int(field) for field in line.split("\t")[5:7])
        parts.append((offset, offset + length))
for first, end in parts:
    for at in range(first, end, max((end - first) // 8, 1)):
        changed = bytearray(whole)
        changed[at] ^= 0x80
        if restart(bytes(changed)) is None:
            sys.exit(f"a change of byte {at} was not noticed")
print("noticed")
