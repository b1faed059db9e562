/* Installs what the lockfile says, once. Old syntax on purpose: it runs on whatever Node the machine has. */
"use strict";
var fs = require("fs");
var path = require("path");
var crypto = require("crypto");
var spawnSync = require("child_process").spawnSync;

var root = path.join(__dirname, "..");
var stamp = path.join(root, "node_modules", ".earshot-installed");
var args = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
var npm = process.env.npm_execpath;
var result;
var wanted = crypto
  .createHash("sha256")
  .update(fs.readFileSync(path.join(root, "package-lock.json")))
  .digest("hex");

function installed() {
  try {
    return fs.readFileSync(stamp, "utf8") === wanted;
  } catch (_error) {
    return false; /* no stamp: nothing is installed, or not by us */
  }
}

if (!installed()) {
  process.stderr.write("Installing what package-lock.json lists (once) ...\n");
  result = npm
    ? spawnSync(process.execPath, [npm].concat(args), { cwd: root, stdio: ["ignore", 2, 2] })
    : spawnSync("npm", args, { cwd: root, stdio: ["ignore", 2, 2], shell: process.platform === "win32" });
  if (result.status !== 0) {
    process.stderr.write("npm ci failed. Check the connection to the npm registry and try again.\n");
    process.exit(result.status || 1);
  }
  fs.writeFileSync(stamp, wanted);
}

require("./build-dashboard.cjs");
