import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { faultsIn, isExempt, LAYERS, layerOf, words } from "./layers.ts";

const root = join(import.meta.dirname, "..");

test("every source imports only what its layer may import", () => {
  const paths = globSync("packages/*/src/**/*.{ts,tsx}", { cwd: root })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !isExempt(path));
  expect(paths.length).toBeGreaterThan(500);
  expect(paths.flatMap((path) => faultsIn(path, readFileSync(join(root, path), "utf8")))).toEqual([]);
});

test("every place in the table exists", () => {
  const folders = LAYERS.flatMap(({ places }) => words(places)).map((place) => place.replace(/^[^/]+/, "packages/$&/src"));
  expect(folders.filter((folder) => !existsSync(join(root, folder)))).toEqual([]);
});

test("an import is found in every form that TypeScript has, with its line", () => {
  const forms = [
    'import { a } from "@earshot/hub";',
    'import type { B } from "@earshot/hub/home";',
    'import "node:fs";',
    'export * from "node:net";',
    'export { c } from "typebox";',
    'const d = await import("node:http");',
    'type E = import("ws").WebSocket;',
    'import { f } from "./shell/f.ts"; // import "node:os" in a comment, and the next in a text, are none',
    "const g = 'import \"node:os\"';",
  ];
  const reason = layerOf("packages/policy/src/x.ts")?.reason;
  expect(faultsIn("packages/policy/src/x.ts", forms.join("\n"))).toEqual(
    ["@earshot/hub", "@earshot/hub/home", "node:fs", "node:net", "typebox", "node:http", "ws"].map(
      (name, index) => `packages/policy/src/x.ts:${index + 1} imports ${name}. ${reason}`,
    ),
  );
});

/** Per row of the table, an invented file and what it may not import. */
const REFUSED: Readonly<Record<string, string>> = {
  "protocol/src/aaep/x.ts": "node:fs @earshot/aaep @earshot/hub earshot ../activities/index.ts ../../testing/aaep.ts",
  "protocol/src/activities/aop/x.ts": "node:fs @earshot/hub earshot fastify ws ../../../protocol/src/json.ts",
  "aaep/src/shape/x.ts": "node:net ws @earshot/hub @earshot/sdk earshot ../node.ts ../node/x.ts",
  "aaep/src/node/x.ts": "@earshot/hub @earshot/sdk earshot ./testing/x.ts",
  "agents/src/mapping/x.ts": "node:fs @earshot/hub earshot ../files.ts ../files/x.ts",
  "agents/src/files/x.ts": "@earshot/hub earshot ../testing/agent-folders.ts",
  "policy/src/shell/x.ts": "node:fs @earshot/hub earshot typebox typebox/value",
  "narrate/src/x.ts": "node:fs @earshot/announcer @earshot/hub @earshot/sdk earshot react",
  "announcer/src/announce/x.ts": "node:fs @earshot/hub @earshot/sdk earshot react",
  "judge/src/x.ts": "node:crypto @earshot/hub earshot typebox ../../protocol/src/json.ts",
  "sdk/src/aaep/x.ts": "node:fs @earshot/hub earshot ../node/x.ts ../browser/x.ts ../index.ts",
  "sdk/src/browser/x.ts": "node:fs @earshot/hub ../node/x.ts",
  "sdk/src/node/x.ts": "@earshot/hub earshot ../browser/x.ts",
  "dashboard/src/pages/x.tsx": "node:fs earshot @earshot/aaep fastify",
  "cli/src/inbox/x.ts":
    "earshot @earshot/dashboard fastify ../../../protocol/src/json.ts ../../../../packages/hub/src/home.ts ./testing/own-hub.ts",
  "terminal/src/x.ts": "earshot @earshot/hub @earshot/recordings ./testing/samples.ts",
  "recordings/src/replay/x.ts": "earshot @earshot/announcer @earshot/policy ../../../cli/src/command.ts ../diff/testing/script.ts",
  "hub/src/x.ts": "earshot @earshot/sdk ./hub.ts ./wiring/x.ts ./http/x.ts",
  "hub/src/ledger/x.ts": "earshot ../http/x.ts ../intake/x.ts ../live/x.ts ../views/x.ts",
  "hub/src/ledger/sqlite/x.ts": "earshot ../../http/x.ts ../../intake/x.ts ../../live/x.ts ../../views/x.ts",
  "hub/src/cluster/x.ts": "../access/x.ts ../requests/x.ts ../http/x.ts",
  "hub/src/access/x.ts": "../http/x.ts ../ledger/x.ts",
  "hub/src/metrics/x.ts": "../http/x.ts ../intake/x.ts",
  "hub/src/intake/x.ts": "earshot ../http/x.ts ../live/x.ts ../views/x.ts ../ledger/sqlite/x.ts",
  "hub/src/policy/x.ts": "earshot ../http/x.ts ../requests/x.ts ../hooks/x.ts ../ledger/sqlite/x.ts",
  "hub/src/requests/x.ts": "earshot ../http/x.ts ../hooks/x.ts ../live/x.ts ../views/x.ts ../ledger/sqlite/x.ts",
  "hub/src/live/x.ts": "earshot ../http/x.ts ../intake/x.ts ../views/x.ts ../ledger/sqlite/x.ts",
  "hub/src/views/x.ts": "earshot ../http/x.ts ../intake/x.ts ../live/x.ts",
  "hub/src/keeping/x.ts": "../http/x.ts ../requests/x.ts",
  "hub/src/notify/x.ts": "../http/x.ts ../ledger/x.ts",
  "hub/src/trial/x.ts": "../http/x.ts ../intake/x.ts",
  "hub/src/hooks/x.ts": "../http/x.ts ../views/x.ts ../ledger/sqlite/x.ts",
  "hub/src/aaep/x.ts": "../http/x.ts ../attach/x.ts ../ledger/sqlite/x.ts",
  "hub/src/attach/x.ts": "../http/x.ts ../aaep/x.ts ../ledger/sqlite/x.ts",
  "hub/src/http/x.ts": "../hub.ts ../wiring/x.ts ../ledger/sqlite/x.ts",
  "hub/src/settings/x.ts": "../hub.ts ../wiring/x.ts ../ledger/x.ts",
  "hub/src/wiring/x.ts": "earshot ../../../aaep/src/index.ts ../ledger/testing/x.ts",
};

describe("each row can fail", () => {
  test.each(Object.entries(REFUSED))("%s may not import %s", (file, names) => {
    const source = words(names).map((name) => `import "${name}";`);
    const faults = faultsIn(`packages/${file}`, source.join("\n"));
    expect(faults.map((fault) => fault.split(". ")[0])).toEqual(
      words(names).map((name, index) => `packages/${file}:${index + 1} imports ${name}`),
    );
  });

  test("and every row is in the list above", () => {
    expect(new Set(Object.keys(REFUSED).map((file) => layerOf(`packages/${file}`)))).toEqual(new Set(LAYERS));
  });

  test("a folder that is in no row is a fault", () => {
    expect(faultsIn("packages/other/src/x.ts", "")).toEqual([expect.stringContaining("packages/other/src/x.ts is in no layer")]);
  });
});
