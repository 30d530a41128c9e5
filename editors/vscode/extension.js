// The client of zpl-lsp for VS Code: starts the server that the settings name,
// for files of ZPL, and starts it anew when they change.
"use strict";

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

function makeClient() {
  const settings = vscode.workspace.getConfiguration("zpl");
  const run = {
    command: settings.get("server"),
    transport: TransportKind.stdio,
  };
  return new LanguageClient("zpl", "ZPL", { run, debug: run }, {
    documentSelector: [{ language: "zpl" }],
    initializationOptions: { includePaths: settings.get("includePaths") },
  });
}

async function start() {
  client = makeClient();
  try {
    await client.start();
  } catch (error) {
    const server = vscode.workspace.getConfiguration("zpl").get("server");
    vscode.window.showErrorMessage(
      `The language server '${server}' could not be started ` +
        `(setting zpl.server): ${error.message}`);
  }
}

async function stop() {
  const old = client;
  client = undefined;
  if (old && old.needsStop()) {
    await old.stop();
  }
}

async function restart() {
  await stop();
  await start();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("zpl.restart", restart),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("zpl.server") ||
          change.affectsConfiguration("zpl.includePaths")) {
        restart();
      }
    }));
  await start();
}

module.exports = { activate, deactivate: stop };
