#!/usr/bin/env node
/* Old syntax on purpose: an old Node must get as far as the message below. */
"use strict";
var path = require("path");
var fs = require("fs");
var root = path.join(__dirname, "..");
var source = path.join(root, "src", "process.ts");
var isClone = fs.existsSync(source);
var result;
var node;

/* Without a listener, SIGUSR1 opens Node's inspector, and any program of this account can then change what runs here. */
process.on("SIGUSR1", () => {});
endIfInspected();
setImmediate(endIfInspected);

/* The signal can arrive before this file runs. Nobody has typed anything by then. */
function endIfInspected() {
  var isAskedFor = /--inspect/.test(process.execArgv.join(" ") + (process.env.NODE_OPTIONS || ""));
  if (isAskedFor || require("inspector").url() === undefined) return;
  process.stderr.write("earshot: a debugger was attached by a signal while this process started.\n");
  process.exit(2);
}

var numbers = process.versions.node.split(".").map(Number);

if (numbers[0] < 24 || (numbers[0] === 24 && numbers[1] < 11)) {
  /* A clone brings its own Node. */
  node = isClone && require("../../../tools/install.cjs").findNode();
  if (node) {
    result = require("child_process").spawnSync(node, [__filename].concat(process.argv.slice(2)), { stdio: "inherit" });
    process.exit(result.status === null ? 2 : result.status);
  }
  process.stderr.write(
    "Earshot needs Node 24.11 or newer; this is Node " +
      process.versions.node +
      ".\nInstall a newer Node, for example from https://nodejs.org, and try again.\n",
  );
  process.exit(2);
}

/*
 * Node reads the exports of CommonJS packages with a small WebAssembly program. It is busy while we start and never again, but V8
 * would compile it once more for speed: a tenth of a second of a core, and 15 MB that are mostly not given back.
 */
if (!isClone) require("v8").setFlagsFromString("--wasm-tiering-budget=2000000000");

import(require("url").pathToFileURL(isClone ? source : path.join(root, "dist", "process.js")).href).then((module) => module.runProcess());
