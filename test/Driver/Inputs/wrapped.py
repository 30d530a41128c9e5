"""Calls the library of wrapped.z on so many processors, and compares with NumPy."""
import sys

import numpy as np

sys.path.insert(0, sys.argv[2])
import wrapped as w

for turn in range(3):
    w.init(p=int(sys.argv[1]))
    x = np.arange(36.0).reshape(6, 6)
    y = x.copy()
    for k in range(3):
        w.shift(x)
        y = np.roll(y, (-1, -1), (0, 1)) + 0.5
        assert (x == y).all()
    assert w.sum(x) == y.sum() + 36 and (x == y).all()
    assert w.sum(x[:, ::-1]) == y.sum() + 36
    assert w.sum(np.asfortranarray(x)) == y.sum() + 36
    o = np.arange(18, dtype="i4").reshape(3, 6)
    r = np.zeros((3, 6), "i8")
    w.odd(o, r)
    assert (r == 10 * o + np.array([[1], [3], [5]])).all()
    w.spin()
    w.spin()
    assert (w.get("T") == 2).all() and w.get("T").dtype == np.complex128
    w.set("T", np.arange(6) * 1j)
    w.spin()
    assert (w.get("T") == np.arange(6) * 1j + 1).all()
    w.finish()
print("as NumPy has it")
