import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** Prints the packages that an import loads, each once. */
const LIST_PACKAGES = `
import { registerHooks } from "node:module";
const loaded = new Set();
registerHooks({ load: (url, context, next) => {
  loaded.add(/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1] ?? (/packages\\/([^/]+)\\//.exec(url)?.[1] ?? "node"));
  return next(url, context);
} });
await import("@earshot/sdk");
console.log(JSON.stringify([...loaded].sort()));
`;

test("an agent that only speaks loads no schemas, no signatures and no sockets", async () => {
  const args = ["--no-warnings", "--input-type=module", "--eval", LIST_PACKAGES];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
  expect(JSON.parse(stdout)).toEqual(["aaep", "node", "protocol", "sdk"]);
}, 60_000);
