#!/usr/bin/env python3
"""A session with zpl-lsp: does the lines `DO: ...` of a test and prints each answer.

    lsp.py SERVER TEST [-I FOLDER ...]

    DO: open FILE              FILE lies beside this script; `open` comes after initialize
    DO: open FILE as URI       the same under another URI
    DO: text A\\nB             opens "text.z" with that text
    DO: change L:C-L:C TEXT    replaces a range of the text (counted from 0)
    DO: full TEXT              replaces all of it
    DO: save | close
    DO: diagnostics            waits for those of the document that was changed last
    DO: hover WORD             also definition, references, prepareRename, completion,
                               signatureHelp; WORD/3+1: behind the first letter of its third
                               occurrence as a word; L:C works too
    DO: rename WORD to NAME
    DO: actions                code actions for the whole document
    DO: hints | symbols | folding | colours | formatting
    DO: request METHOD PARAMS  any request; notify METHOD PARAMS; raw BYTES (\\n, \\r, \\xHH)
    DO: compiled WORD          hover, again until it tells what the compiler has done
    DO: start | shutdown | exit
    DO: compiling              `start` with the compiler beside, which is off else

`start` is done by itself unless the first line is `DO: nothing`. Ranges are printed as
`1:2-1:5`, counted from 0 as the protocol does.
"""
import json
import os
import queue
import re
import subprocess
import sys
import threading
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))


class Session:
    def __init__(self, command):
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.received = queue.Queue()
        self.number = 0
        self.uri = self.text = None
        self.version = 0
        self.kept = []
        threading.Thread(target=self.read_all, daemon=True).start()

    def read_all(self):
        while True:
            length = None
            while True:
                line = self.server.stdout.readline()
                if not line:
                    self.received.put(None)
                    return
                if line == b"\r\n":
                    break
                name, value = line.decode().split(":")
                if name == "Content-Length":
                    length = int(value)
            self.received.put(json.loads(self.server.stdout.read(length)))

    def write(self, data):
        try:
            self.server.stdin.write(data)
            self.server.stdin.flush()
        except BrokenPipeError:
            print("the server is gone")

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def next(self, wanted):
        """The first message that is wanted; others are kept."""
        for message in self.kept:
            if wanted(message):
                self.kept.remove(message)
                return message
        while True:
            message = self.received.get(timeout=50)
            if message is None:
                sys.exit("the server has ended")
            if wanted(message):
                return message
            self.kept.append(message)

    def request(self, method, params):
        self.number += 1
        number = self.number
        self.send({"id": number, "method": method, "params": params})
        return self.next(lambda m: m.get("id") == number and "method" not in m)

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def document(self):
        return {"uri": self.uri}


def short(value):
    """JSON with ranges and positions on one line."""
    if isinstance(value, dict):
        if set(value) == {"line", "character"}:
            return f"{value['line']}:{value['character']}"
        if set(value) == {"start", "end"}:
            return f"{short(value['start'])}-{short(value['end'])}"
        return {key: short(item) for key, item in value.items()}
    if isinstance(value, list):
        return [short(item) for item in value]
    return value


def show(what, message):
    result = message.get("result", message.get("error"))
    kind = "error" if "error" in message else what
    if isinstance(result, dict) and set(result) == {"isIncomplete", "items"}:
        result = [f"{i['sortText']} ({i.get('detail', '')})" for i in
                  sorted(result["items"], key=lambda item: item["sortText"])]
    if isinstance(result, list) and result and kind != "error":
        for item in result:
            print(f"{kind}: {json.dumps(short(item), ensure_ascii=False)}")
        return
    if isinstance(result, dict) and kind == "hover":
        print(f"hover at {short(result.get('range', '-'))}:")
        print(result["contents"]["value"])
        return
    print(f"{kind}: {json.dumps(short(result), ensure_ascii=False)}")


def units(text):
    return len(text.encode("utf-16-le")) // 2


def place(session, word):
    """Of `WORD/2+1` or `L:C`."""
    if re.fullmatch(r"\d+:\d+", word):
        line, column = map(int, word.split(":"))
        return {"line": line, "character": column}
    name, count, behind = re.fullmatch(r"(.*?)(?:/(\d+))?(?:\+(\d+))?", word).groups()
    edge = r"\b" if re.fullmatch(r"\w+", name) else ""
    found = list(re.finditer(edge + re.escape(name) + edge, session.text))
    at = found[int(count or 1) - 1].start() + int(behind or 0)
    before = session.text[:at]
    return {"line": before.count("\n"),
            "character": units(before.rsplit("\n", 1)[-1])}


def opened(session, uri, text):
    session.uri, session.text = uri, text
    session.notify("textDocument/didOpen", {"textDocument": {
        "uri": uri, "languageId": "zpl", "version": 1, "text": text}})


def colours(session, legend):
    data = session.request("textDocument/semanticTokens/full",
                           {"textDocument": session.document()})["result"]["data"]
    line = column = 0
    lines = session.text.split("\n")
    for down, right, length, kind, bits in zip(*[iter(data)] * 5):
        line, column = line + down, right if down else column + right
        word = lines[line].encode("utf-16-le")[2 * column:2 * (column + length)]
        names = [name for bit, name in enumerate(legend["tokenModifiers"]) if bits >> bit & 1]
        print(f"colour: {line}:{column} {word.decode('utf-16-le')} "
              f"{' '.join([legend['tokenTypes'][kind]] + names)}")


def offset(text, where):
    line, column = map(int, where.split(":"))
    lines = text.split("\n")
    prefix = lines[line].encode("utf-16-le")[:2 * column].decode("utf-16-le")
    return sum(len(l) + 1 for l in lines[:line]) + len(prefix)


def change(session, rest):
    session.version += 1
    where, _, text = rest.partition(" ")
    text = text.replace("\\n", "\n")
    start, end = where.split("-")
    params = {"textDocument": {**session.document(), "version": session.version + 1},
              "contentChanges": [{"text": text, "range": {
                  side: {"line": int(p.split(":")[0]), "character": int(p.split(":")[1])}
                  for side, p in (("start", start), ("end", end))}}]}
    session.text = (session.text[:offset(session.text, start)] + text +
                    session.text[offset(session.text, end):])
    session.notify("textDocument/didChange", params)


AT_PLACE = ["hover", "definition", "references", "prepareRename", "completion", "signatureHelp"]
OF_DOCUMENT = {"symbols": "documentSymbol", "folding": "foldingRange", "formatting": "formatting"}
WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 10 ** 6, "character": 0}}


def wait_compiled(session, word):
    for _ in range(300):
        answer = session.request("textDocument/hover", {
            "textDocument": session.document(), "position": place(session, word)})
        if answer["result"] and "**Compiled**" in answer["result"]["contents"]["value"]:
            return answer
        time.sleep(0.5)
    sys.exit("it is not compiled")


def do(session, verb, rest):
    document = {"textDocument": session.document()}
    if verb in ("start", "compiling"):
        session.legend = session.request("initialize", {
            "capabilities": {}, "initializationOptions": {"compile": verb == "compiling"}})["result"][
            "capabilities"]["semanticTokensProvider"]["legend"]
        session.notify("initialized", {})
    elif verb == "open":
        name, _, uri = rest.partition(" as ")
        path = os.path.join(FOLDER, name)
        with open(path, encoding="utf-8", newline="") as file:
            opened(session, uri or "file://" + path, file.read())
    elif verb == "text":
        opened(session, "file:///nowhere/text.z", rest.replace("\\n", "\n"))
    elif verb == "change":
        change(session, rest)
    elif verb == "full":
        session.text = rest.replace("\\n", "\n")
        session.notify("textDocument/didChange", {
            **document, "contentChanges": [{"text": session.text}]})
    elif verb in ("save", "close"):
        session.notify(f"textDocument/did{verb.capitalize()}", document)
    elif verb == "diagnostics":
        found = session.next(lambda m: m.get("method") == "textDocument/publishDiagnostics" and
                             m["params"]["uri"] == session.uri)["params"]["diagnostics"]
        for item in found or ["none"]:
            print("diagnostic:", json.dumps(short(item), ensure_ascii=False))
    elif verb == "compiled":
        show("hover", wait_compiled(session, rest))
    elif verb in AT_PLACE:
        show(verb, session.request(f"textDocument/{verb}", {
            **document, "position": place(session, rest), "context": {}}))
    elif verb == "rename":
        word, _, name = rest.partition(" to ")
        show(verb, session.request("textDocument/rename", {
            **document, "position": place(session, word), "newName": name}))
    elif verb == "actions":
        show(verb, session.request("textDocument/codeAction", {
            **document, "range": WHOLE, "context": {"diagnostics": []}}))
    elif verb == "hints":
        show(verb, session.request("textDocument/inlayHint", {**document, "range": WHOLE}))
    elif verb == "colours":
        colours(session, session.legend)
    elif verb in OF_DOCUMENT:
        show(verb, session.request(f"textDocument/{OF_DOCUMENT[verb]}", {**document, "options": {}}))
    else:
        do_raw(session, verb, rest)


def do_raw(session, verb, rest):
    method, _, params = rest.partition(" ")
    if verb == "request":
        show(method, session.request(method, json.loads(params or "{}")))
    elif verb == "notify":
        session.notify(method, json.loads(params or "{}"))
    elif verb == "log":
        print("log:", session.next(lambda m: m.get("method") == "window/logMessage")["params"][
            "message"])
    elif verb == "raw":
        session.write(rest.encode("latin-1").decode("unicode_escape").encode("latin-1"))
    elif verb == "framed":
        body = rest.encode("latin-1").decode("unicode_escape").encode("latin-1")
        session.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    elif verb == "answer":
        show("answer", session.next(lambda m: "method" not in m))
    elif verb == "shutdown":
        show(verb, session.request("shutdown", None))
    elif verb == "exit":
        session.notify("exit", None)
        print("status:", session.server.wait(timeout=50))
    else:
        sys.exit(f"what is 'DO: {verb}'?")


def main():
    server, test, *options = sys.argv[1:]
    session = Session([server, *options])
    with open(test, encoding="utf-8") as file:
        steps = re.findall(r"^DO: (\w+) ?(.*)$", file.read(), re.M)
    if steps[0][0] not in ("nothing", "compiling"):
        steps.insert(0, ("start", ""))
    for verb, rest in steps:
        if verb != "nothing":
            do(session, verb, rest)
    if session.server.poll() is None:
        session.server.kill()


main()
