#!/usr/bin/env python3
"""Compares a page of ./p --report with the table that --profile wrote of the same run.

    report_numbers.py page.html profile.txt

Each row of the table is a row of the page with the same calls and messages, and the bytes
that the cells of the matrix name make up all bytes of the run, as exact as they are shown.
"""
import html
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    page = file.read()
with open(sys.argv[2], encoding="utf-8") as file:
    table = [line.split() for line in file]
UNITS = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}


def number(text):
    value, unit = text.split()
    return float(value) * UNITS[unit]


rows = set()
section = page[page.index("<section id=operations>"):]
for row in re.findall(r"<tr>(<td>.*?)</tr>", section[:section.index("</section>")]):
    cells = [html.unescape(re.sub("<[^>]*>", "", cell)) for cell in re.findall("<td.*?</td>", row)]
    rows.add((re.sub(r".*(?::|line )", "", cells[0]), cells[1],
              cells[2].replace(",", ""), cells[3].replace(",", "")))
count = 0
for words in table:
    if len(words) < 8 or not re.fullmatch(r"(.*:\d+|-)", words[0]):
        continue
    place = words[0].split(":")[-1]
    row = ("program" if place == "-" else place, words[1], words[2], words[3])
    assert row in rows, f"{row} is not in {rows}"
    count += 1
assert count == len(rows), (count, rows)

total = next(words for words in table if words and words[0] == "total")
cells = re.findall(r'<td style="--h[^>]*title="(P\d+(?:&ndash;P?\d+)?) to [^:]*: ([^"]*)"', page)
shown = sum(number(text) for _, text in cells)
assert abs(shown - float(total[3])) <= 0.006 * float(total[3]), (shown, total[3])
print(f"{count} rows, {len(cells)} cells")
