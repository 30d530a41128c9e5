#!/usr/bin/env python3
"""Asks zpl-lsp about long and hostile texts; prints what is answered.

    large.py SERVER BENCH
"""
import json
import subprocess
import sys

sys.path.insert(0, sys.argv[2])
import generate  # noqa: E402

server = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
DOCUMENT = {"uri": "file:///nowhere/large.z"}


def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    server.stdin.flush()


def receive():
    length = int(server.stdout.readline().split(b":")[1])
    server.stdout.readline()
    return json.loads(server.stdout.read(length))


def ask(method):
    send({"id": method, "method": f"textDocument/{method}", "params": {
        "textDocument": DOCUMENT, "position": {"line": 50000, "character": 5}}})
    answer = receive()
    return answer["id"] == method and "result" in answer


send({"id": 1, "method": "initialize", "params": {}})
receive()
send({"method": "textDocument/didOpen",
      "params": {"textDocument": {**DOCUMENT, "text": generate.program(100_000)}}})
receive()
ASKED = ["semanticTokens/full", "documentSymbol", "foldingRange", "formatting", "hover"]
print("100000 lines:", *filter(ask, ASKED), "answered")
for name, text in {"nested": "program p;\nprocedure p();\nbegin x := " + "(" * 100_000,
                   "brackets": "[" * 200_000, "comment": "program p; /* no end",
                   "blocks": "program p;\n" + "begin " * 50_000,
                   "bytes": "program p;\x00\x01 \ufffd\U0001d11e"}.items():
    send({"method": "textDocument/didChange",
          "params": {"textDocument": DOCUMENT, "contentChanges": [{"text": text}]}})
    found = receive()["params"]["diagnostics"]
    print(f"{name}:", "answered" if found and ask("documentSymbol") else "not answered")
server.kill()
