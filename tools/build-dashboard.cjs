/* Builds the dashboard when its sources are newer than what was built. Old syntax on purpose, like install.cjs. */
"use strict";
var fs = require("fs");
var path = require("path");
var crypto = require("crypto");
var spawnSync = require("child_process").spawnSync;

var root = path.join(__dirname, "..");
var folder = path.join(root, "packages", "dashboard");
var stamp = path.join(folder, "dist", ".stamp");
var hash = crypto.createHash("sha256");

function add(file) {
  var stat = fs.statSync(file);
  if (stat.isDirectory()) {
    fs.readdirSync(file)
      .sort()
      .forEach((name) => {
        add(path.join(file, name));
      });
  } else {
    hash.update(path.relative(root, file)).update(fs.readFileSync(file));
  }
}

/* What goes into the pages: their own sources and those of the packages that they are made with. */
[
  "dashboard/index.html",
  "dashboard/vite.config.ts",
  "dashboard/src",
  "protocol/src",
  "translate/src",
  "policy/src",
  "sdk/src",
  "aaep/src",
].forEach((name) => {
  add(path.join(root, "packages", name));
});
hash.update(fs.readFileSync(path.join(root, "package-lock.json")));
var wanted = hash.digest("hex");
var node = path.join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
var result;

function built() {
  try {
    return fs.readFileSync(stamp, "utf8") === wanted;
  } catch (_error) {
    return false; /* never built, or not to the end */
  }
}

if (!built()) {
  process.stderr.write("Building the dashboard (once) ...\n");
  result = spawnSync(
    fs.existsSync(node) ? node : process.execPath,
    [path.join(root, "node_modules", "vite", "bin", "vite.js"), "build", "--logLevel", "warn"],
    /* Whatever whoever builds it is up to: in a test, React would be the large one for development. */
    { cwd: folder, stdio: ["ignore", 2, 2], env: Object.assign({}, process.env, { NODE_ENV: "production" }) },
  );
  if (result.status !== 0) {
    process.stderr.write("The dashboard could not be built.\n");
    process.exit(result.status || 1);
  }
  fs.writeFileSync(stamp, wanted);
}
