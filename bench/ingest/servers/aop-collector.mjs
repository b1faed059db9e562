import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/* The official AOP collector, run by whatever Node the user has: plain JavaScript, since that may be an old one. */
const [folder = "", port = "", dbPath = ""] = process.argv.slice(2);
const { exports: entries, main } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const { startCollector } = await import(pathToFileURL(join(folder, entryOf(entries?.["."] ?? entries) ?? main ?? "dist/index.js")).href);
await startCollector({ port: Number(port), dbPath, openBrowser: false });
console.log(`Node ${process.version} http://127.0.0.1:${port}`);

function entryOf(entry) {
  if (entry === undefined || typeof entry === "string") return entry;
  return entryOf(entry.import ?? entry.default ?? entry.require);
}
