"""tracks.py TRACE N: checks that TRACE is in the Chrome trace format with a named
track for each of N processors, events of a track behind each other, and times
that all count from the same moment; prints what processor 0 did, by name."""
import collections
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    events = json.load(file)["traceEvents"]
tracks = collections.defaultdict(list)
names = {}
for event in events:
    assert event["pid"] == 0, event
    if event["ph"] == "X":
        assert event["dur"] >= 0 and event["ts"] >= 0, event
        tracks[event["tid"]].append(event)
    elif event["ph"] == "M" and event["name"] == "thread_name":
        names[event["tid"]] = event["args"]["name"]
    else:
        assert event["ph"] in "MCi", event
count = int(sys.argv[2])
assert names == {k: f"processor {k}" for k in range(count)}, names
assert sorted(tracks) == list(range(count)), sorted(tracks)
for track in tracks.values():
    for a, b in zip(track, track[1:]):
        assert a["ts"] + a["dur"] <= b["ts"] + 0.002, (a, b)
    # All leave the last barrier after the last one has entered it.
    for other in tracks.values():
        assert track[-1]["ts"] + track[-1]["dur"] >= other[-1]["ts"], "clocks"
found = collections.Counter(
    (e["name"].split("/")[-1] if "/" in e["name"] else e["name"],
     e["cat"], e["args"].get("point", "-"), e["args"]["messages"],
     e["args"]["bytes"]) for e in tracks[0])
for key, number in sorted(found.items()):
    print(number, *key)
