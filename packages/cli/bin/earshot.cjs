#!/usr/bin/env node
/* Old syntax on purpose: an old Node must get as far as the message below. */
"use strict";
var path = require("path");
var fs = require("fs");
var root = path.join(__dirname, "..");
var source = path.join(root, "src", "process.ts");
var isClone = fs.existsSync(source);
var own = path.join(root, "..", "..", "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
var result;
var major = parseInt(process.versions.node.split(".")[0], 10);

if (major < 24) {
  /* In a clone the repository's own Node is installed: use it. */
  if (isClone && fs.existsSync(own)) {
    result = require("child_process").spawnSync(own, [__filename].concat(process.argv.slice(2)), { stdio: "inherit" });
    process.exit(result.status === null ? 2 : result.status);
  }
  process.stderr.write(
    "earshot needs Node 24 or newer; this is Node " +
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

if (isClone) {
  /* In a clone the sources run as they are: workspaces resolve by this condition instead of to what is built. */
  require("module").registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, Object.assign({}, context, { conditions: context.conditions.concat("earshot-source") })),
  });
}
import(require("url").pathToFileURL(isClone ? source : path.join(root, "dist", "process.js")).href).then((module) => module.runProcess());
