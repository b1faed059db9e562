/*
 * Prepares a clone and runs a script in it:
 *
 *     node tools/install.cjs [SCRIPT [ARGUMENT ...]]
 *
 * Finds Node 24.11 or newer (this process, or a platform package in .cache/node), installs what package-lock.json lists, and
 * runs the script. Both installs happen once. Old syntax on purpose: this file runs on any version of Node.
 */
"use strict";
var fs = require("fs");
var path = require("path");
var crypto = require("crypto");
var spawnSync = require("child_process").spawnSync;

/* The first LTS release of Node 24. Older ones bind `?1` in SQL only once. */
var OLDEST = [24, 11];
var root = path.join(__dirname, "..");
var isWindows = process.platform === "win32";

/** The path of a Node that is new enough and already on this machine; undefined if there is none. */
function findNode() {
  if (isNewEnough(process.versions.node)) return process.execPath;
  var pinned = pinnedPackage();
  var file = pinned && executableOf(pinned);
  return file && fs.existsSync(file) ? file : undefined;
}

function isNewEnough(version) {
  var numbers = version.split(".").map(Number);
  return numbers[0] > OLDEST[0] || (numbers[0] === OLDEST[0] && numbers[1] >= OLDEST[1]);
}

function pinnedPackage() {
  return JSON.parse(fs.readFileSync(path.join(__dirname, "node-packages.json"), "utf8"))[`${process.platform}-${process.arch}`];
}

function folderOf(pinned) {
  return path.join(root, ".cache", "node", `${pinned.name}-${pinned.version}`);
}

function executableOf(pinned) {
  return path.join(folderOf(pinned), "node_modules", pinned.name, "bin", isWindows ? "node.exe" : "node");
}

/** Installs the pinned Node of this platform. npm verifies the integrity hash in the lockfile that is written here. */
function installNode() {
  var pinned = pinnedPackage();
  var platform = `${process.platform}-${process.arch}`;
  if (!pinned)
    fail(
      `Earshot needs Node ${OLDEST.join(".")} or newer; this is Node ${process.versions.node}, and npm has no newer one for ${platform}. Install Node 24 from https://nodejs.org and try again.`,
    );
  process.stderr.write(`Installing Node ${pinned.version} for this folder (once); this machine has Node ${process.versions.node} ...\n`);
  var folder = folderOf(pinned);
  var dependencies = {};
  dependencies[pinned.name] = pinned.version;
  var packages = { "": { dependencies: dependencies } };
  packages[`node_modules/${pinned.name}`] = { version: pinned.version, integrity: pinned.integrity };
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, "package.json"), JSON.stringify({ private: true, dependencies: dependencies }));
  fs.writeFileSync(path.join(folder, "package-lock.json"), JSON.stringify({ lockfileVersion: 3, requires: true, packages: packages }));
  npmCi(folder);
  var run = spawnSync(executableOf(pinned), ["--version"], { encoding: "utf8" });
  if (run.status !== 0)
    fail(
      `The Node package for ${platform} does not run on this machine. Install Node ${OLDEST.join(".")} or newer from https://nodejs.org and try again.`,
    );
  return executableOf(pinned);
}

function installDependencies() {
  var stamp = path.join(root, "node_modules", ".earshot-installed");
  var wanted = crypto
    .createHash("sha256")
    .update(fs.readFileSync(path.join(root, "package-lock.json")))
    .digest("hex");
  try {
    if (fs.readFileSync(stamp, "utf8") === wanted) return;
  } catch (_error) {
    /* No stamp: nothing is installed yet, or something else installed it. */
  }
  process.stderr.write("Installing the packages in package-lock.json (once) ...\n");
  npmCi(root);
  fs.writeFileSync(stamp, wanted);
}

/** Installs independently of the user's npm settings: includes dev packages and runs no install scripts, as none is needed. */
function npmCi(folder) {
  var args = ["ci", "--include=dev", "--ignore-scripts", "--engine-strict=false", "--no-audit", "--no-fund", "--loglevel=error"];
  var npm = process.env.npm_execpath;
  var isNpm = npm && /npm-cli\.c?js$/.test(npm);
  var options = { cwd: folder, stdio: ["ignore", 2, 2], shell: !isNpm && isWindows };
  var run = isNpm ? spawnSync(process.execPath, [npm].concat(args), options) : spawnSync("npm", args, options);
  if (run.status !== 0) fail("npm ci failed. Check the connection to the npm registry and try again.");
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function main(words) {
  var node = findNode() || installNode();
  installDependencies();
  if (words.length === 0) return;
  /* The script's child processes find the same `node` and `npx` on the PATH. */
  var key = isWindows ? Object.keys(process.env).filter((name) => name.toUpperCase() === "PATH")[0] || "Path" : "PATH";
  var env = Object.assign({}, process.env);
  env[key] = path.dirname(node) + path.delimiter + (env[key] || "");
  var child = require("child_process").spawn(node, words, { stdio: "inherit", env: env });
  /* Ctrl-C reaches the script itself, which decides how to end; this process ends after it. */
  ["SIGINT", "SIGTERM", "SIGHUP"].forEach((signal) => {
    process.on(signal, () => {
      if (signal === "SIGTERM") child.kill(signal);
    });
  });
  child.on("exit", (code, signal) => {
    process.exit(signal ? 1 : code);
  });
}

/* Without a listener, SIGUSR1 opens Node's inspector. */
process.on("SIGUSR1", () => {});

module.exports = { findNode: findNode, isNewEnough: isNewEnough };
if (require.main === module) main(process.argv.slice(2));
