import { existsSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** Runs an example: `npm run example NAME`. */
const folder = resolve(import.meta.dirname, "../examples");
const [name = ""] = process.argv.splice(2, 1);
const main = resolve(folder, name, "main.ts");
if (name !== "" && existsSync(main)) await import(pathToFileURL(main).href);
else {
  const names = readdirSync(folder).filter((one) => existsSync(resolve(folder, one, "main.ts")));
  console.error(`Usage: npm run example NAME\n\nThe examples are:\n${names.map((one) => `  ${one}\n`).join("")}`);
  process.exitCode = 2;
}
