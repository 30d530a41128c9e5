"""Calls the library of kernel.z on as many processors as its argument says.

    zplc --library kernel.z -o libkernel.so && python3 use.py 1
"""
import sys
import timeit

import numpy as np

sys.path.insert(0, "" if len(sys.argv) < 3 else sys.argv[2])
import kernel

p = int(sys.argv[1])


def refused(call):
    try:
        call()
        print("taken")
    except Exception as error:
        print("%s: %s" % (type(error).__name__, error))


refused(lambda: kernel.step(1))
refused(lambda: kernel.init(p=p, rows=3))
refused(lambda: kernel.init(p=p, n="many"))
kernel.init(p=p, n=3)
print("processors", kernel.processors())
print("rim", kernel.get("A").sum(), kernel.get("marks")[2])
a = kernel.A  # on one processor all of it
print("block", a.shape == (5, 8), a.flags.owndata, kernel.first("A"))
print("change %.6f" % kernel.step(5))
print("sum %.6f" % kernel.get("A").sum(), "seen" if a[1, 1] > 0 else "not seen")
if p == 1:
    a[:] = 0
    print("written", kernel.get("A").sum())

x = np.ones((3, 6))
print("smooth", kernel.smooth(x, 2.5, 7), x[:, 0])
wide = np.zeros((6, 12))
print("strided", kernel.smooth(wide[::2, ::2], 1.0, 0), wide.sum(axis=0))
numbers = np.arange(18, dtype="f4")
print("total", kernel.total(numbers.reshape(3, 6)), kernel.total(numbers.reshape(6, 3).T))
print(kernel.greet("world"))
kernel.set("A", np.full((5, 8), 2.0))
print("set", kernel.step(1), kernel.check(2))

refused(lambda: kernel.smooth(x.astype("f4"), 1.0, 1))
refused(lambda: kernel.smooth(np.ones((4, 5)), 1.0, 1))
refused(lambda: kernel.smooth(np.ones(5), 1.0, 1))
refused(lambda: kernel.smooth([1], 1.0, 1))
refused(lambda: kernel.greet(3))
refused(lambda: kernel.greet("a\0b"))
refused(lambda: kernel.step("x"))
refused(lambda: kernel.step(2**31))
refused(lambda: kernel.set("A", np.ones((2, 2))))
refused(lambda: kernel.get("B"))
refused(lambda: kernel.B)
readonly = np.ones((3, 6))
readonly.flags.writeable = False
refused(lambda: kernel.smooth(readonly, 1.0, 1))

if p == 1:
    best = min(timeit.repeat(lambda: kernel.nothing(3), number=20000, repeat=5)) / 20000
    print("%.2f us a call" % (best * 1e6), file=sys.stderr)
refused(kernel.finish)
del a
kernel.finish()
refused(lambda: kernel.step(1))

kernel.init(p=p)  # once more
print("again", kernel.get("A").shape)
refused(lambda: kernel.check(5))
refused(lambda: kernel.step(1))
