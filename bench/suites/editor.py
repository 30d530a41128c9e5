"""The language server: how long an editor waits, with a program of 2000 lines.

The program is made by generate.py. A keystroke is a change of one character up to the
diagnostics that it causes; hover, completion and the colours of the whole document are
asked for when nothing has changed. The limits are 50 ms for a keystroke, 10 ms for hover.
"""
import json
import os
import subprocess
import time

import generate
from common import Samples, interleave

LINES = 2000
REPEATS = 20


class Server:
    def __init__(self, zplc):
        path = os.path.join(os.path.dirname(zplc), "zpl-lsp")
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def receive(self, wanted):
        while True:
            length = int(self.process.stdout.readline().split(b":")[1])
            self.process.stdout.readline()
            message = json.loads(self.process.stdout.read(length))
            if wanted(message):
                return message

    def ask(self, method, params):
        self.number += 1
        number = self.number
        self.send({"id": number, "method": method, "params": params})
        return self.receive(lambda message: message.get("id") == number)["result"]

    def notify(self, method, params):
        self.send({"method": method, "params": params})


def diagnostics(message):
    return message.get("method") == "textDocument/publishDiagnostics"


def run(options, work, table):
    text = generate.program(LINES)
    lines = text.count("\n")
    server = Server(options.zplc)
    server.ask("initialize", {"capabilities": {}})
    document = {"uri": "file://" + os.path.join(work, "large.z")}
    server.notify("textDocument/didOpen", {"textDocument": {**document, "text": text}})
    server.receive(diagnostics)
    middle = {"line": lines // 2, "character": 4}
    end = {"line": lines, "character": 0}
    samples = {}

    def measure(what, work):
        start = time.perf_counter()
        work()
        samples.setdefault(what, Samples()).add(time.perf_counter() - start)

    def keystroke(change, begin, finish):
        server.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [
            {"range": {"start": begin, "end": finish}, "text": change}]})
        server.receive(diagnostics)

    def once():
        for _ in range(REPEATS):
            behind = {**end, "character": 1}
            measure("keystroke", lambda: keystroke("-", end, end))
            measure("keystroke", lambda: keystroke("", end, behind))
            for what in ("hover", "completion"):
                measure(what, lambda what=what: server.ask(
                    f"textDocument/{what}", {"textDocument": document, "position": middle}))
            measure("colours", lambda: server.ask("textDocument/semanticTokens/full",
                                                  {"textDocument": document}))

    interleave(options.rounds, "editor", [once])
    server.ask("shutdown", None)
    server.notify("exit", None)
    server.process.wait()
    for what, times in samples.items():
        table.add("editor", lines, what, times, None, f"{times.median * 1e3:.1f} ms")
    table.show(f"Editor: {lines} lines", ("editor", lines))
