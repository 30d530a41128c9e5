// Prints the tokens of a ZPL file as VS Code's own engine of grammars finds them,
// a line each: the text and its scope.
//
//     node tokens.js FILE
"use strict";

const fs = require("fs");
const path = require("path");
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const grammarFile = path.join(__dirname, "syntaxes", "zpl.tmLanguage.json");

async function main() {
  const wasm = fs.readFileSync(
    path.join(path.dirname(require.resolve("vscode-oniguruma")), "onig.wasm"));
  await oniguruma.loadWASM(wasm.buffer);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(
      fs.readFileSync(grammarFile, "utf8"), grammarFile),
  });
  const grammar = await registry.loadGrammar("source.zpl");
  let state = textmate.INITIAL;
  for (const line of fs.readFileSync(process.argv[2], "utf8").split("\n")) {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    for (const token of result.tokens) {
      const text = line.substring(token.startIndex, token.endIndex).trim();
      const scope = token.scopes[token.scopes.length - 1];
      if (text && scope !== "source.zpl") {
        console.log(`${text}  ${scope}`);
      }
    }
  }
}

main();
