//===- Server.cpp - The language server -----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One message after the other:
//
//     --> {"id": 1, "method": "textDocument/hover", "params": {...}}
//     <-- {"id": 1, "result": {"contents": ...}}
//
// A table gives each method its function. Changes only replace a document's
// text; it is analysed when somebody asks for it or when nothing more waits to
// be read, then its diagnostics are published. So a client that types faster
// than the front end reads is not answered for each key.
//
// When the client is quiet the compiler runs beside (Background.cpp); what it
// finds is kept with the document until that changes.
//
// What is wrong with a message is answered with the error codes of JSON-RPC.
// Notifications have no answer: what is wrong with them goes to the client's
// log.
//
// Cost: an analysis for each change that is looked at, linear in the document.
//
//===----------------------------------------------------------------------===//

#include "zpl/Editor/Server.h"
#include "Background.h"
#include "Transport.h"
#include "zpl/Editor/Queries.h"
#include "zpl/Format/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include <map>
#include <poll.h>

using namespace llvm;

namespace zpl::editor {

namespace {

/// The error codes of JSON-RPC and of the protocol.
enum Code : int {
  ParseError = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
  ServerNotInitialized = -32002,
  RequestFailed = -32803
};

/// Why a request has no result.
class Failure : public ErrorInfo<Failure> {
public:
  static char ID;
  Failure(Code code, std::string text) : code(code), text(std::move(text)) {}
  void log(raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override {
    return inconvertibleErrorCode();
  }
  Code code;
  std::string text;
};
char Failure::ID = 0;

struct Server {
  Input input;
  int output = 1;
  SearchPaths search;
  std::map<std::string, Document> documents; ///< by URI
  std::map<std::string, bool> unpublished;   ///< documents to look at
  std::map<std::string, bool> uncompiled;    ///< documents to compile
  Background background;
  bool isInitialized = false, isShutDown = false;
};

} // namespace

using Answer = Expected<json::Value>;

static Error fail(Code code, const Twine &text) {
  return make_error<Failure>(code, text.str());
}

//===----------------------------------------------------------------------===//
// Documents
//===----------------------------------------------------------------------===//

static void refresh(const Server &server, Document &document) {
  if (!document.isStale)
    return;
  document.analysis = analyze(document.path, document.text, server.search);
  document.isStale = false;
}

/// The document that the parameters name; its analysis may be stale.
static Expected<Document *> namedDocument(Server &server,
                                          const json::Object &params) {
  const json::Object *name = params.getObject("textDocument");
  std::optional<StringRef> uri = name ? name->getString("uri") : std::nullopt;
  if (!uri)
    return fail(InvalidParams, "the parameters have no textDocument.uri");
  auto found = server.documents.find(uri->str());
  if (found == server.documents.end())
    return fail(InvalidParams, "'" + *uri + "' is not open");
  return &found->second;
}

/// The same with an analysis of its text.
static Expected<Document *> analysedDocument(Server &server,
                                             const json::Object &params) {
  Expected<Document *> document = namedDocument(server, params);
  if (document)
    refresh(server, **document);
  return document;
}

static std::optional<Position> readPosition(const json::Object *object) {
  if (!object)
    return std::nullopt;
  std::optional<int64_t> line = object->getInteger("line");
  std::optional<int64_t> character = object->getInteger("character");
  constexpr int64_t most = std::numeric_limits<unsigned>::max();
  if (!line || !character || *line < 0 || *character < 0)
    return std::nullopt;
  return Position{static_cast<unsigned>(std::min(*line, most)),
                  static_cast<unsigned>(std::min(*character, most))};
}

static std::optional<Range> readRange(const json::Object *object) {
  if (!object)
    return std::nullopt;
  std::optional<Position> start = readPosition(object->getObject("start"));
  std::optional<Position> end = readPosition(object->getObject("end"));
  if (!start || !end)
    return std::nullopt;
  return Range{*start, *end};
}

static void publish(Server &server, StringRef uri, json::Array diagnostics,
                    std::optional<int64_t> version) {
  json::Object params{{"uri", uri}, {"diagnostics", std::move(diagnostics)}};
  if (version)
    params["version"] = *version;
  send(server.output,
       json::Object{{"jsonrpc", "2.0"},
                    {"method", "textDocument/publishDiagnostics"},
                    {"params", std::move(params)}});
}

static void publishChanged(Server &server) {
  for (const auto &entry : std::exchange(server.unpublished, {})) {
    auto found = server.documents.find(entry.first);
    if (found == server.documents.end())
      continue;
    refresh(server, found->second);
    publish(server, entry.first, diagnosticsJson(found->second),
            found->second.version);
  }
}

static void touch(Server &server, Document &document) {
  document.isStale = true;
  server.unpublished[document.uri] = true;
  if (server.background.uri == document.uri)
    stopCompiling(server.background);
  document.compiled.reset();
  server.uncompiled[document.uri] = true;
}

//===----------------------------------------------------------------------===//
// The compiler beside
//===----------------------------------------------------------------------===//

/// Starts it for the next document that it can do something with.
static void compileNext(Server &server) {
  while (!server.uncompiled.empty()) {
    std::string uri = server.uncompiled.begin()->first;
    server.uncompiled.erase(uri);
    auto found = server.documents.find(uri);
    if (found == server.documents.end())
      continue;
    Document &document = found->second;
    refresh(server, document);
    if (document.analysis->program &&
        startCompiling(server.background, uri, document.path, document.text,
                       server.search))
      return;
  }
}

/// Keeps what it has found.
static void takeCompiled(Server &server) {
  std::optional<Compiled> compiled = finishCompiling(server.background);
  auto found = server.documents.find(server.background.uri);
  if (found != server.documents.end())
    found->second.compiled = std::move(compiled);
}

/// Until the client says something: documents are compiled when it has been
/// quiet for a moment.
static void waitForClient(Server &server) {
  constexpr int quietMilliseconds = 300;
  while (!hasMore(server.input)) {
    bool isRunning = server.background.child != 0;
    bool isWanted = !server.background.compiler.empty() &&
                    !server.uncompiled.empty() && !isRunning;
    pollfd waiting[] = {{server.input.descriptor, POLLIN, 0},
                        {server.background.ending, POLLIN, 0}};
    int ready =
        poll(waiting, isRunning ? 2 : 1, isWanted ? quietMilliseconds : -1);
    if (ready > 0 && isRunning && waiting[1].revents != 0)
      takeCompiled(server);
    else if (ready != 0)
      return;
    else
      compileNext(server);
  }
}

//===----------------------------------------------------------------------===//
// Notifications
//===----------------------------------------------------------------------===//

static Answer didOpen(Server &server, const json::Object &params) {
  const json::Object *item = params.getObject("textDocument");
  std::optional<StringRef> uri = item ? item->getString("uri") : std::nullopt;
  std::optional<StringRef> text = item ? item->getString("text") : std::nullopt;
  if (!uri || !text)
    return fail(InvalidParams, "didOpen without textDocument.uri and text");
  Document &document = server.documents[uri->str()];
  document.uri = uri->str();
  document.path = pathOfUri(*uri);
  document.text = text->str();
  document.version = item->getInteger("version").value_or(0);
  touch(server, document);
  return nullptr;
}

static Answer didChange(Server &server, const json::Object &params) {
  Expected<Document *> found = namedDocument(server, params);
  if (!found)
    return found.takeError();
  Document &document = **found;
  const json::Array *changes = params.getArray("contentChanges");
  if (!changes)
    return fail(InvalidParams, "didChange without contentChanges");
  std::string text = document.text;
  for (const json::Value &value : *changes) {
    const json::Object *change = value.getAsObject();
    std::optional<StringRef> replacement =
        change ? change->getString("text") : std::nullopt;
    if (!replacement)
      return fail(InvalidParams, "a change without text");
    if (!change->get("range")) {
      text = replacement->str();
      continue;
    }
    std::optional<Range> range = readRange(change->getObject("range"));
    if (!range)
      return fail(InvalidParams, "a change with a range that is none");
    replaceRange(text, *range, *replacement);
  }
  document.text = std::move(text);
  document.version = params.getObject("textDocument")
                         ->getInteger("version")
                         .value_or(document.version + 1);
  touch(server, document);
  return nullptr;
}

static Answer didClose(Server &server, const json::Object &params) {
  Expected<Document *> found = namedDocument(server, params);
  if (!found)
    return found.takeError();
  std::string uri = (*found)->uri;
  if (server.background.uri == uri)
    stopCompiling(server.background);
  server.documents.erase(uri);
  server.unpublished.erase(uri);
  publish(server, uri, {}, std::nullopt);
  return nullptr;
}

/// A file on disk has changed: whoever includes others looks at them again.
static Answer filesChanged(Server &server, const json::Object &) {
  for (auto &[uri, document] : server.documents)
    if (!document.analysis || !document.analysis->includes.empty())
      touch(server, document);
  return nullptr;
}

static Answer ignore(Server &, const json::Object &) { return nullptr; }

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

static json::Object capabilities() {
  return json::Object{
      {"positionEncoding", "utf-16"},
      {"textDocumentSync", json::Object{{"openClose", true},
                                        {"change", 2},
                                        {"save", json::Object{}}}},
      {"hoverProvider", true},
      {"definitionProvider", true},
      {"referencesProvider", true},
      {"renameProvider", json::Object{{"prepareProvider", true}}},
      {"completionProvider",
       json::Object{{"triggerCharacters", json::Array{".", "@", "^", "["}}}},
      {"signatureHelpProvider",
       json::Object{{"triggerCharacters", json::Array{"(", ","}}}},
      {"documentSymbolProvider", true},
      {"foldingRangeProvider", true},
      {"inlayHintProvider", true},
      {"documentFormattingProvider", true},
      {"codeActionProvider",
       json::Object{{"codeActionKinds", json::Array{"quickfix"}}}},
      {"semanticTokensProvider",
       json::Object{{"legend", semanticLegend()}, {"full", true}}}};
}

static Answer initialize(Server &server, const json::Object &params) {
  if (server.isInitialized)
    return fail(InvalidRequest, "initialize comes once");
  if (const json::Object *options = params.getObject("initializationOptions")) {
    if (!options->getBoolean("compile").value_or(true))
      server.background.compiler.clear();
    if (const json::Array *paths = options->getArray("includePaths"))
      for (const json::Value &path : *paths)
        if (std::optional<StringRef> text = path.getAsString())
          server.search.includes.push_back(text->str());
  }
  server.isInitialized = true;
  return json::Object{{"capabilities", capabilities()},
                      {"serverInfo", json::Object{{"name", "zpl-lsp"}}}};
}

static Answer shutdown(Server &server, const json::Object &) {
  server.isShutDown = true;
  return nullptr;
}

/// A request for a place in a document, answered by \p answer.
template <typename Function>
static Answer atPlace(Server &server, const json::Object &params,
                      Function answer) {
  Expected<Document *> document = analysedDocument(server, params);
  if (!document)
    return document.takeError();
  std::optional<Position> position = readPosition(params.getObject("position"));
  if (!position)
    return fail(InvalidParams, "the parameters have no position");
  return answer(**document, (*document)->analysis->lines->offset(*position));
}

/// A request for all of a document.
template <typename Function>
static Answer ofDocument(Server &server, const json::Object &params,
                         Function answer) {
  Expected<Document *> document = analysedDocument(server, params);
  if (!document)
    return document.takeError();
  return answer(**document);
}

static Answer referencesAt(Server &server, const json::Object &params) {
  const json::Object *context = params.getObject("context");
  bool withDeclarations =
      !context || context->getBoolean("includeDeclaration").value_or(true);
  return atPlace(server, params, [&](const Document &d, uint32_t offset) {
    return references(d, offset, withDeclarations);
  });
}

/// An error of a query as a request that failed.
static Answer orFailed(Expected<json::Value> result) {
  if (!result)
    return fail(RequestFailed, toString(result.takeError()));
  return result;
}

static Answer renameAt(Server &server, const json::Object &params) {
  std::optional<StringRef> name = params.getString("newName");
  if (!name)
    return fail(InvalidParams, "rename without newName");
  return atPlace(server, params, [&](const Document &d, uint32_t offset) {
    return orFailed(rename(d, offset, *name));
  });
}

static Answer codeActionsAt(Server &server, const json::Object &params) {
  std::optional<Range> range = readRange(params.getObject("range"));
  if (!range)
    return fail(InvalidParams, "codeAction without a range");
  return ofDocument(server, params, [&](const Document &d) -> json::Value {
    const LineTable &lines = *d.analysis->lines;
    return codeActions(d, lines.offset(range->start), lines.offset(range->end));
  });
}

static Answer hintsIn(Server &server, const json::Object &params) {
  std::optional<Range> range = readRange(params.getObject("range"));
  if (!range)
    return fail(InvalidParams, "inlayHint without a range");
  return ofDocument(server, params, [&](const Document &d) -> json::Value {
    return inlayHints(d, *range);
  });
}

/// The edit that makes \p after of the document: the lines that differ.
static json::Array changedLines(const Document &d, StringRef after) {
  StringRef before = d.text;
  if (before == after)
    return {};
  size_t same = 0;
  while (same < before.size() && same < after.size() &&
         before[same] == after[same])
    ++same;
  size_t begin = before.take_front(same).rfind('\n');
  begin = begin == StringRef::npos ? 0 : begin + 1;
  size_t tail = 0, most = std::min(before.size(), after.size()) - begin;
  while (tail < most &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
    ++tail;
  // From the beginning of a line on.
  size_t line = before.find('\n', before.size() - tail);
  tail = line == StringRef::npos ? 0 : before.size() - line - 1;
  LineTable lines(before);
  Range range = lines.range(static_cast<uint32_t>(begin),
                            static_cast<uint32_t>(before.size() - tail));
  return json::Array{json::Object{
      {"range", toJson(range)},
      {"newText", cleanText(after.slice(begin, after.size() - tail))}}};
}

static Answer formatting(Server &server, const json::Object &params) {
  Expected<Document *> document = namedDocument(server, params);
  if (!document)
    return document.takeError();
  Expected<std::string> text = format((*document)->path, (*document)->text);
  if (!text)
    return fail(RequestFailed, cleanText(toString(text.takeError())));
  return changedLines(**document, *text);
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

namespace {
struct Method {
  StringLiteral name;
  Answer (*function)(Server &, const json::Object &);
};
} // namespace

#define AT_PLACE(function)                                                     \
  [](Server &s, const json::Object &p) { return atPlace(s, p, function); }
#define OF_DOCUMENT(function)                                                  \
  [](Server &s, const json::Object &p) {                                       \
    return ofDocument(                                                         \
        s, p, [](const Document &d) -> json::Value { return function(d); });   \
  }

static constexpr Method methods[] = {
    {"initialize", initialize},
    {"initialized", ignore},
    {"shutdown", shutdown},
    {"textDocument/didOpen", didOpen},
    {"textDocument/didChange", didChange},
    {"textDocument/didClose", didClose},
    {"textDocument/didSave", filesChanged},
    {"workspace/didChangeWatchedFiles", filesChanged},
    {"workspace/didChangeConfiguration", ignore},
    {"textDocument/hover", AT_PLACE(hover)},
    {"textDocument/definition", AT_PLACE(definition)},
    {"textDocument/references", referencesAt},
    {"textDocument/prepareRename",
     AT_PLACE([](const Document &d, uint32_t offset) {
       return orFailed(prepareRename(d, offset));
     })},
    {"textDocument/rename", renameAt},
    {"textDocument/completion", AT_PLACE(completion)},
    {"textDocument/signatureHelp", AT_PLACE(signatureHelp)},
    {"textDocument/documentSymbol", OF_DOCUMENT(documentSymbols)},
    {"textDocument/foldingRange", OF_DOCUMENT(foldingRanges)},
    {"textDocument/semanticTokens/full", OF_DOCUMENT(semanticTokens)},
    {"textDocument/codeAction", codeActionsAt},
    {"textDocument/inlayHint", hintsIn},
    {"textDocument/formatting", formatting},
};

static Answer call(Server &server, StringRef name, const json::Object &params) {
  if (server.isShutDown)
    return fail(InvalidRequest, "the server is shut down");
  if (!server.isInitialized && name != "initialize")
    return fail(ServerNotInitialized, "initialize comes first");
  for (const Method &method : methods)
    if (method.name == name)
      return method.function(server, params);
  return fail(MethodNotFound, "there is no method '" + name + "'");
}

static void answerError(Server &server, json::Value id, Code code,
                        StringRef text) {
  send(server.output,
       json::Object{{"jsonrpc", "2.0"},
                    {"id", std::move(id)},
                    {"error", json::Object{{"code", static_cast<int>(code)},
                                           {"message", cleanText(text)}}}});
}

/// Answers, if it was a request; what is wrong with a notification is logged,
/// but for `$/...`, which a server may ignore.
static void answer(Server &server, const json::Value *id, StringRef name,
                   Answer result) {
  if (!result) {
    Code code = RequestFailed;
    std::string text;
    handleAllErrors(
        result.takeError(),
        [&](const Failure &failure) {
          code = failure.code;
          text = failure.text;
        },
        [&](const ErrorInfoBase &other) { text = other.message(); });
    if (id)
      return answerError(server, *id, code, text);
    if (!name.starts_with("$/") && server.isInitialized)
      send(server.output,
           json::Object{{"jsonrpc", "2.0"},
                        {"method", "window/logMessage"},
                        {"params",
                         json::Object{{"type", 1},
                                      {"message", name.str() + ": " + text}}}});
    return;
  }
  if (id)
    send(server.output, json::Object{{"jsonrpc", "2.0"},
                                     {"id", *id},
                                     {"result", std::move(*result)}});
}

/// Whether brackets are nested so deep that the reader of JSON, which recurses,
/// should not see them.
static bool isTooDeep(StringRef text) {
  unsigned depth = 0;
  bool isInString = false;
  for (size_t at = 0; at < text.size(); ++at) {
    if (isInString && text[at] == '\\')
      ++at;
    else if (text[at] == '"')
      isInString = !isInString;
    else if (!isInString && (text[at] == '[' || text[at] == '{'))
      if (++depth > 1000)
        return true;
    if (!isInString && at < text.size() && (text[at] == ']' || text[at] == '}'))
      depth -= depth != 0;
  }
  return false;
}

/// Handles one message; the status of the process if it is the last one.
static std::optional<int> handle(Server &server, StringRef message) {
  Expected<json::Value> parsed =
      isTooDeep(message)
          ? Expected<json::Value>(fail(ParseError, "it is nested too deep"))
          : json::parse(message);
  if (!parsed) {
    answerError(server, nullptr, ParseError, toString(parsed.takeError()));
    return std::nullopt;
  }
  const json::Object *object = parsed->getAsObject();
  const json::Value *id = object ? object->get("id") : nullptr;
  bool isAnswer = object && !object->get("method") &&
                  (object->get("result") || object->get("error"));
  if (isAnswer)
    return std::nullopt;
  std::optional<StringRef> name =
      object ? object->getString("method") : std::nullopt;
  bool isWrongId = id && !id->getAsString() && !id->getAsNumber();
  if (!name || isWrongId) {
    answerError(server, id && !isWrongId ? *id : json::Value(nullptr),
                InvalidRequest, "this is no request of JSON-RPC 2.0");
    return std::nullopt;
  }
  if (*name == "exit")
    return server.isShutDown ? 0 : 1;
  json::Object none;
  const json::Object *params = object->getObject("params");
  if (!params && object->get("params") && !object->get("params")->getAsNull() &&
      !object->getArray("params")) {
    answer(server, id, *name, fail(InvalidParams, "params are no object"));
    return std::nullopt;
  }
  answer(server, id, *name, call(server, *name, params ? *params : none));
  return std::nullopt;
}

int serve(int in, int out, SearchPaths search) {
  Server server;
  server.input.descriptor = in;
  server.output = out;
  server.search = std::move(search);
  server.background.compiler = server.search.compiler;
  auto end = make_scope_exit([&] { stopCompiling(server.background); });
  for (std::string message;;) {
    waitForClient(server);
    switch (receive(server.input, message)) {
    case Received::End:
      return 1;
    case Received::Garbage:
      answerError(server, nullptr, ParseError,
                  "a header without a Content-Length that can be used");
      break;
    case Received::Message:
      if (std::optional<int> status = handle(server, message))
        return *status;
      break;
    }
    if (!hasMore(server.input))
      publishChanged(server);
  }
}

} // namespace zpl::editor
