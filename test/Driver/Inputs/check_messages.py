#!/usr/bin/env python3
"""check_messages.py json|sarif FILE SOURCE: checks zplc's messages in FILE.

Prints a line for each message, and ends with status 1 at the first thing that
the format demands and is not there. For SARIF that is what the specification
2.1.0 (OASIS) says of the objects that zplc writes: required properties, kinds
of values, no others than it names, indices that fit, URIs that are some, and
regions that lie within SOURCE and agree with their byte offsets.
"""
import json
import re
import sys
import urllib.parse

LEVELS = ("none", "note", "warning", "error")
# Objects of SARIF: property -> (kind, is required); a kind is a type, the name
# of an object, or a list of one.
OBJECTS = {
    "log": {"$schema": (str, False), "version": (str, True), "runs": (["run"], True)},
    "run": {"tool": ("tool", True), "invocations": (["invocation"], False),
            "originalUriBaseIds": (dict, False), "columnKind": (str, False),
            "artifacts": (["artifact"], False), "results": (["result"], False)},
    "tool": {"driver": ("toolComponent", True)},
    "toolComponent": {"name": (str, True), "version": (str, False),
                      "semanticVersion": (str, False),
                      "rules": (["reportingDescriptor"], False)},
    "reportingDescriptor": {"id": (str, True),
                            "defaultConfiguration": ("reportingConfiguration", False)},
    "reportingConfiguration": {"level": (str, False)},
    "invocation": {"executionSuccessful": (bool, True), "exitCode": (int, False),
                   "arguments": ([str], False),
                   "toolExecutionNotifications": (["notification"], False)},
    "notification": {"level": (str, False), "message": ("message", True)},
    "message": {"text": (str, True)},
    "artifact": {"location": ("artifactLocation", False), "length": (int, False),
                 "sourceLanguage": (str, False)},
    "artifactLocation": {"uri": (str, False), "uriBaseId": (str, False),
                         "index": (int, False), "description": ("message", False)},
    "result": {"ruleId": (str, False), "ruleIndex": (int, False), "level": (str, False),
               "message": ("message", True), "locations": (["location"], False),
               "relatedLocations": (["location"], False), "fixes": (["fix"], False)},
    "location": {"physicalLocation": ("physicalLocation", False),
                 "message": ("message", False), "annotations": (["region"], False)},
    "physicalLocation": {"artifactLocation": ("artifactLocation", True),
                         "region": ("region", False)},
    "region": {"startLine": (int, False), "startColumn": (int, False),
               "endLine": (int, False), "endColumn": (int, False),
               "byteOffset": (int, False), "byteLength": (int, False)},
    "fix": {"artifactChanges": (["artifactChange"], True)},
    "artifactChange": {"artifactLocation": ("artifactLocation", True),
                       "replacements": (["replacement"], True)},
    "replacement": {"deletedRegion": ("region", True),
                    "insertedContent": ("message", False)},
}


def fail(why):
    print(f"check_messages.py: {why}")
    sys.exit(1)


def demand(condition, why):
    if not condition:
        fail(why)


def check(value, kind, where):
    """Holds a value to its kind, with all that is in it."""
    if isinstance(kind, list):
        demand(isinstance(value, list), f"{where} is no array")
        for number, item in enumerate(value):
            check(item, kind[0], f"{where}[{number}]")
    elif isinstance(kind, str):
        demand(isinstance(value, dict), f"{where} is no object")
        for name, (inner, required) in OBJECTS[kind].items():
            demand(name in value or not required, f"{where} has no {name}")
            if name in value:
                check(value[name], inner, f"{where}.{name}")
        for name in value:
            demand(name in OBJECTS[kind], f"{where} has {name}, which SARIF does not know")
        if "level" in value:
            demand(value["level"] in LEVELS, f"{where}.level is {value['level']}")
    else:
        good = isinstance(value, kind) and (kind is not int or not isinstance(value, bool))
        demand(good, f"{where} is no {kind.__name__}")


def offset(source, line, column):
    """The byte at a line and a column of characters, both from 1."""
    lines = source.split(b"\n")
    demand(1 <= line <= len(lines), f"there is no line {line}")
    start = sum(len(l) + 1 for l in lines[:line - 1])
    text = lines[line - 1].decode("utf-8", "surrogateescape")
    demand(1 <= column <= len(text) + 1, f"line {line} has no column {column}")
    return start + len(text[:column - 1].encode("utf-8", "surrogateescape"))


def check_region(region, source):
    begin = offset(source, region["startLine"], region["startColumn"])
    end = offset(source, region["endLine"], region["endColumn"])
    demand(begin == region["byteOffset"], f"{region} begins at byte {begin}")
    demand(end - begin == region["byteLength"], f"{region} has {end - begin} bytes")


def check_uri(location):
    uri = location["uri"]
    demand(re.fullmatch(r"(file://)?[A-Za-z0-9/._~%-]+", uri), f"'{uri}' is no URI")
    demand(uri.startswith("file:///") == ("uriBaseId" not in location and uri != "stdin"),
           f"'{uri}' is relative to nothing, or to something and absolute")
    return urllib.parse.unquote(uri.removeprefix("file://"))


def every(value, name):
    """All values under a name, however deep."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == name:
                yield inner
            yield from every(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from every(inner, name)


def sarif(log, source):
    check(log, "log", "log")
    demand(log["version"] == "2.1.0" and len(log["runs"]) == 1, "not one run of 2.1.0")
    run = log["runs"][0]
    demand(run["columnKind"] == "unicodeCodePoints", "other columns")
    rules = run["tool"]["driver"]["rules"]
    demand(len({rule["id"] for rule in rules}) == len(rules), "a rule is there twice")
    for base in run["originalUriBaseIds"].values():
        check(base, "artifactLocation", "base")
        demand(base["uri"].startswith("file:///") and base["uri"].endswith("/"), "bad base")
    for location in every(run, "artifactLocation"):
        name = check_uri(location)
        demand(check_uri(run["artifacts"][location["index"]]["location"]) == name,
               f"{location} has another index")
        demand("uriBaseId" not in location
               or location["uriBaseId"] in run["originalUriBaseIds"], "unknown base")
    for name in ("region", "deletedRegion"):
        for region in every(run, name):
            check_region(region, source)
    failed = any(result["level"] == "error" for result in run["results"])
    demand(run["invocations"][0]["executionSuccessful"] == (not failed), "not how it ended")
    for result in run["results"]:
        demand(rules[result["ruleIndex"]]["id"] == result["ruleId"], "another rule")
        place = result["locations"][0]["physicalLocation"]
        region = place["region"]
        text = (f"{result['level']} {check_uri(place['artifactLocation']).split('/')[-1]}:"
                f"{region['startLine']}:{region['startColumn']}-{region['endColumn']}")
        for note in result.get("relatedLocations", []):
            at = note["physicalLocation"]["region"]
            text += f" note {at['startLine']}:{at['startColumn']} {note['message']['text']}"
        for fix in result.get("fixes", []):
            for new in every(fix, "insertedContent"):
                text += f" fix '{new['text']}'"
        print(text)


def gcc(messages, source):
    for message in messages:
        for name in ("kind", "message", "locations", "children", "column-origin"):
            demand(name in message, f"a message has no {name}")
        demand(message["kind"] in ("error", "warning", "note"), "another kind")
        caret = message["locations"][0]["caret"]
        last = message["locations"][0].get("finish", caret)
        for point in [caret, last]:
            line = source.split(b"\n")[point["line"] - 1]
            start = offset(source, point["line"], 1)
            demand(offset(source, point["line"], point["column"]) ==
                   start + point["byte-column"] - 1 <= start + len(line),
                   "columns of bytes and of characters differ")
        text = (f"{message['kind']} {caret['file'].split('/')[-1]}:{caret['line']}:"
                f"{caret['column']}-{last['column'] + 1}")
        for note in message["children"]:
            at = note["locations"][0]["caret"]
            text += f" note {at['line']}:{at['column']} {note['message']}"
        for fix in message.get("fixits", []):
            text += f" fix '{fix['string']}'"
        print(text)


def main():
    kind, file, name = sys.argv[1:]
    with open(file, encoding="utf-8") as stream:
        value = json.load(stream)
    if name == "-":
        source = b"program \xff;\n"
    else:
        with open(name, "rb") as stream:
            source = stream.read()
    (sarif if kind == "sarif" else gcc)(value, source)


main()
