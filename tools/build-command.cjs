/* Builds the command as it is published: with everything that it needs, in few files. */
"use strict";
var path = require("node:path");
var root = path.join(__dirname, "..");

var result = require("node:child_process").spawnSync(
  process.execPath,
  [
    path.join(root, "node_modules", "vite", "bin", "vite.js"),
    "build",
    "--config",
    path.join(__dirname, "command.config.ts"),
    "--logLevel",
    "warn",
  ],
  { cwd: root, stdio: ["ignore", 2, 2] },
);
process.exit(result.status === null ? 1 : result.status);
