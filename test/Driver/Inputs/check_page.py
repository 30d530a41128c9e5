#!/usr/bin/env python3
"""Holds a page of --report to what every page promises: tags are closed in their
order, names are unique and links within the page lead somewhere, nothing is loaded
from elsewhere, the only scripts and styles are its own. Then prints the page's text,
a row, summary or item a line.

    check_page.py page.html [MOST-BYTES]
"""
import html.parser
import os
import re
import sys

EMPTY = {"meta", "input", "br", "circle"}
OPTIONAL_END = {"th"}
LINES = {"tr", "li", "p", "h1", "h2", "h3", "h4", "summary", "dt", "dd", "text", "a",
         "title"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.text, self.counts = [], [], [], [], {}

    def handle_starttag(self, tag, attributes):
        self.counts[tag] = self.counts.get(tag, 0) + 1
        for name, value in attributes:
            assert not name.startswith("on"), f"a handler: {name}"
            if name in ("src", "href", "action", "data"):
                assert value.startswith("#"), f"loads {value}"
                self.links.append(value[1:])
            if name == "id":
                self.ids.append(value)
        assert tag not in ("link", "iframe", "object", "img", "base", "form"), tag
        if tag == "th" and self.open[-1] == "th":
            self.open.pop()
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in EMPTY:
            self.open.pop()

    def handle_endtag(self, tag):
        while self.open[-1] != tag and self.open[-1] in OPTIONAL_END:
            self.open.pop()
        assert self.open.pop() == tag, f"</{tag}> at {self.getpos()}"
        if tag in LINES:
            self.text.append("\n")

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("script", "style"):
            self.text.append(data)
        elif self.open:
            assert "http" not in data and "url(" not in data and "@import" not in data


with open(sys.argv[1], "rb") as file:
    data = file.read()
if len(sys.argv) > 2:
    assert len(data) <= int(sys.argv[2]), f"{len(data)} bytes"
assert not re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", data), "control characters"
page = Page()
page.feed(data.decode("utf-8"))
page.close()
assert page.open == [], page.open
assert len(set(page.ids)) == len(page.ids), "a name twice"
assert set(page.links) <= set(page.ids), set(page.links) - set(page.ids)
assert page.counts["script"] == 1 and page.counts["style"] == 1, page.counts
assert page.counts["html"] == page.counts["body"] == page.counts["main"] == 1
for line in "".join(page.text).split("\n"):
    if line.strip():
        print(" ".join(line.split()))
