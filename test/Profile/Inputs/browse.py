#!/usr/bin/env python3
"""Opens a page in headless Chromium and says what it looks like.

    browse.py page.html FOLDER

Pictures stay in FOLDER. Fails if the page has an error, or asks for anything else than
itself.
"""
import concurrent.futures
import os
import re
import struct
import subprocess
import sys
import zlib

page, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])


def browse(name, *options, page=page):
    command = ["timeout", "40", "chromium", "--headless=new", "--no-sandbox", "--disable-gpu",
               "--disable-background-networking", "--hide-scrollbars", "--window-size=1200,800",
               "--enable-logging=stderr", f"--user-data-dir={folder}/{name}.profile",
               "--host-resolver-rules=MAP * ~NOTFOUND", *options, f"file://{page}"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "CONSOLE" not in result.stderr, result.stderr
    return result.stdout


def background(path):
    """The colour of the first pixel of a PNG without a palette, as in style sheets."""
    with open(path, "rb") as file:
        data = file.read()
    at, pixels = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IDAT":
            pixels += data[at + 8:at + 8 + size]
        at += 12 + size
    return zlib.decompress(pixels)[1:4].hex()


def without_script():
    """A copy of the page that has none."""
    with open(page, encoding="utf-8") as file:
        html = re.sub(r"(?s)<script>.*?</script>", "", file.read())
    copy = os.path.join(folder, "plain.html")
    with open(copy, "w", encoding="utf-8") as file:
        file.write(html)
    return copy


def text(dom):
    dom = re.sub(r"(?s)<(script|style)>.*?</\1>", "", dom)
    return re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", dom))


with concurrent.futures.ThreadPoolExecutor(2) as pool:
    jobs = [pool.submit(browse, *job) for job in (
        ("scripts", "--dump-dom"),
        ("dark", f"--screenshot={folder}/dark.png", "--blink-settings=preferredColorScheme=0"),
        ("paper", f"--print-to-pdf={folder}/page.pdf"))]
    jobs.append(pool.submit(browse, "plain", "--dump-dom", page=without_script()))
    scripts, plain = jobs[0].result(), jobs[-1].result()
    for job in jobs:
        job.result()


def filter_state(dom):
    return "hidden" if 'class="filter hidden"' in dom else "shown"


print("with scripts: filter", filter_state(scripts))
print("without scripts: filter", filter_state(plain) + ",",
      "same text" if text(plain) == text(scripts) else "another text")
print("dark: background", background(f"{folder}/dark.png"))
with open(f"{folder}/page.pdf", "rb") as file:
    print("paper:", len(re.findall(rb"/Type\s*/Page\b", file.read())), "pages")
