"""virtual_end.py TRACE PROFILE: checks that what PROFILE predicts for a simulated
machine is not before the last event of TRACE began, nor behind its end."""
import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    events = [e for e in json.load(file)["traceEvents"] if e["ph"] == "X"]
with open(sys.argv[2], encoding="utf-8") as file:
    time = float(re.search(r"^time +(\S+) s$", file.read(), re.M).group(1))
last = max(events, key=lambda e: e["ts"] + e["dur"])
end = (last["ts"] + last["dur"]) / 1e6
assert 0.9 * end <= time <= 1.1 * end, (time, end)
