"""Makes NumPy's files and pictures as others do, and has each read by a program.

    foreign_arrays.py ZPLC SOURCE PROGRAM

SOURCE compiled is PROGRAM. Prints of each file what the program prints, which must be the
same on one processor, on three, and in the interpreter. Ends with status 1 if it is not.
"""
import re
import struct
import subprocess
import sys
import zlib


def numpy(descr, shape, data, fortran=False, version=1):
    text = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}".encode()
    text += b" " * (-(len(text) + 11) % 64) + b"\n"
    length = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + length + text + data


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(width, height, bits, kind, rows, palette=b"", passes=None):
    """rows: bytes of each row, or of each row of each pass."""
    head = struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, 1 if passes else 0)
    data = zlib.compress(b"".join(b"\0" + row for row in rows))
    plte = chunk(b"PLTE", palette) if palette else b""
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + plte + chunk(b"IDAT", data)
            + chunk(b"IEND", b""))


def interlaced(size, value):
    """The rows of a grey picture in Adam7's passes."""
    rows = []
    for x0, y0, dx, dy in ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4),
                           (1, 0, 2, 2), (0, 1, 1, 2)):
        columns = range(x0, size, dx)
        if columns:
            rows += [bytes(value(y, x) for x in columns) for y in range(y0, size, dy)]
    return png(size, size, 8, 0, rows, passes=7)


GREY = png(3, 2, 8, 0, [bytes([0, 51, 102]), bytes([153, 204, 255])])
FILES = [
    ("fortran.npy", "matrix", numpy("<f8", (2, 3), struct.pack("<6d", 11, 21, 12, 22, 13, 23), True)),
    ("swapped.npy", "matrix", numpy(">i4", (2, 3), struct.pack(">6i", 11, 12, 13, 21, 22, -23))),
    ("both.npy", "cube", numpy(">f4", (2, 3, 2), struct.pack(">12f", *range(12)), True, version=2)),
    ("wide.npy", "row", numpy("<u8", (3,), struct.pack("<3Q", 1, 2, 1 << 63))),
    ("complex.npy", "row", numpy(">c8", (2,), struct.pack(">4f", 1, -2, 3.5, 4))),
    ("refused.npy", "matrix", numpy("<c8", (1, 1), struct.pack("<2f", 1, -2))),
    ("truth.npy", "truth", numpy("|b1", (3,), b"\1\0\7")),
    ("numbers.npy", "truth", numpy("|u1", (3,), b"\1\0\7")),
    ("scalar.npy", "scalar", numpy(">f8", (), struct.pack(">d", 2.5))),
    ("none.npy", "scalar", numpy(">f8", (1,), struct.pack(">d", 2.5))),
    ("range.npy", "small", numpy("<i2", (2, 2), struct.pack("<4h", 1, 127, 128, -300), True)),
    ("half.npy", "matrix", numpy("<f2", (1, 2), b"\0\0\0\0")),
    ("short.npy", "matrix", numpy(">f8", (2, 2), bytes(20))),
    ("cut.npy", "matrix", numpy("<f8", (2, 2), b"")[:70]),
    ("long.npy", "matrix", b"\x93NUMPY\2\0\0\0\0\x10"),
    ("huge.npy", "matrix", numpy("<f8", (3000000000, 2), bytes(16))),
    ("negative.npy", "matrix", numpy("<f8", (-1, 2), b"")),
    ("beyond.npy", "beyond", numpy("<f8", (2, 2), bytes(32))),
    ("grey.png", "matrix", GREY),
    ("grey.png", "colours", GREY),
    ("bits.png", "small", png(3, 2, 1, 0, [b"\xa0", b"\x40"])),
    ("grey16.png", "colours", png(2, 1, 16, 0, [struct.pack(">2H", 258, 65535)])),
    ("palette.png", "colours", png(2, 2, 8, 3, [b"\0\1", b"\1\0"], bytes([1, 2, 3, 250, 251, 252]))),
    ("alpha.png", "colours", png(1, 2, 8, 6, [bytes([1, 2, 3, 0]), bytes([4, 5, 6, 99])])),
    ("passes.png", "colours", interlaced(5, lambda y, x: 16 * y + x)),
    ("range.png", "small", GREY),
    ("cut.png", "matrix", GREY[:-30]),
    ("sum.png", "matrix", GREY[:45] + b"\xff" + GREY[46:]),
    ("start.png", "matrix", GREY[:30]),
    ("huge.png", "matrix", GREY[:16] + struct.pack(">I", 0x80000000) + GREY[20:]),
    ("text.png", "matrix", b"hello"),
    ("text.txt", "matrix", b"hello"),
]


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    errors = re.sub(r"^(?:\S+: )?\S*?(\w+\.z:)", r"\1", done.stderr, flags=re.M)
    return f"{done.stdout}{errors}status {done.returncode}\n"


def main():
    zplc, source, program = sys.argv[1:]
    status = 0
    for name, kind, data in FILES:
        with open(name, "wb") as file:
            file.write(data)
        words = [f"-sname={name}", f"-skind={kind}"]
        ways = {"-p1": [program, *words], "-p3": [program, "-p3", *words],
                "--interpret": [zplc, "--interpret", source, "--", *words]}
        texts = {way: run(command) for way, command in ways.items()}
        print(f"{name} {kind}\n{texts['-p1']}")
        for way, text in texts.items():
            if text != texts["-p1"]:
                print(f"differs with {way}:\n{text}")
                status = 1
    sys.exit(status)


main()
