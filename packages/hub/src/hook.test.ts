import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const LIST = `
const seen = new Set();
require("node:module").registerHooks({ resolve: (specifier, context, next) => {
  const found = next(specifier, context);
  seen.add(found.url);
  return found;
} });
import(require("node:url").pathToFileURL("packages/hub/src/hook.ts").href).then(() => console.log(JSON.stringify([...seen])));
`;

it("what a hook loads that finds no hub is small: neither schemas, nor a server, nor a YAML reader, nor patterns", () => {
  const { stdout, stderr } = spawnSync(process.execPath, ["-e", LIST], { encoding: "utf8" });
  expect(stderr).toBe("");
  const loaded = JSON.parse(stdout) as readonly string[];
  expect(loaded.filter((url) => /typebox|fastify|\/yaml\/|re2js|sqlite/.test(url))).toEqual([]);
  expect(loaded.some((url) => url.endsWith("local-rules.ts"))).toBe(true);
});
