"""long.py SHAPE N: a program that is long in one respect, as bench/suites/shapes.py
makes it."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "bench"))
from suites.shapes import source  # noqa: E402

print(source(sys.argv[1], int(sys.argv[2])), end="")
