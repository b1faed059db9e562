/* Builds the packages that programs import, from nothing: what was left of an older build must not be shipped. */
"use strict";
var fs = require("node:fs");
var path = require("node:path");
var root = path.join(__dirname, "..");

["protocol", "translate", "aaep", "policy", "agents", "hub", "sdk"].forEach((name) => {
  fs.rmSync(path.join(root, "packages", name, "dist"), { recursive: true, force: true });
});
var result = require("node:child_process").spawnSync(
  process.execPath,
  [
    path.join(root, "node_modules", "typescript", "bin", "tsc"),
    "-b",
    "packages/translate",
    "packages/policy",
    "packages/sdk",
    "packages/hub",
  ],
  {
    cwd: root,
    stdio: "inherit",
  },
);
process.exit(result.status === null ? 1 : result.status);
