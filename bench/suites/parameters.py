"""Procedures as parameters against the same text with the procedure written into it
(programs/integrate.z): the call of a parameter must cost nothing.
"""
import os

from common import HERE, Program, interleave, require_equal, sh


def run(options, work, table):
    exe = os.path.join(work, "integrate")
    sh([options.zplc, "-O3", os.path.join(HERE, "programs/integrate.z"), "-o", exe])
    written = Program("written out", [exe, "-sinline=true"])
    passed = Program("procedure parameter", [exe])
    interleave(options.rounds, "parameters", [written.run, passed.run])
    require_equal("integrate", [written, passed], 1e-12)
    base = written.times["integrate"]
    for program in (written, passed):
        times = program.times["integrate"]
        table.add("parameters", "integrate", program.label, times,
                  times.median / base.median,
                  wanted=1.0 if program is passed else None)
    table.show("integrals by Simpson's rule", ("parameters", "integrate"))
