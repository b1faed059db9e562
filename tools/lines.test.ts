import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { temporaryTestFolder } from "../packages/hub/src/ledger/testing/temporary-folder.ts";
import { countLines, formatRows } from "./lines.ts";

const TREE = {
  "README.md": "one\ntwo\n",
  "package-lock.json": "{}\n",
  "picture.png": "\u0089PNG\0\n\n",
  "conformance/aaep/a.jsonl": "{}\n{}\n{}\n",
  "docs/rules/aaep.md": "a rule\n",
  "docs/hub.md": "text",
  "packages/hub/package.json": "{\n}\n",
  "packages/hub/src/hub.ts": "1\n2\n3\n4\n5\n",
  "packages/hub/src/ledger/sqlite/writer.ts": "1\n2\n3\n",
  "packages/hub/src/ledger/sqlite/writer.test.ts": "1\n2\n",
  "packages/hub/src/ledger/ledger.contract.ts": "1\n",
  "packages/hub/src/ledger/testing/folder.ts": "1\n",
  "packages/hub/dist/hub.js": "1\n",
  "packages/hub/node_modules/x/x.js": "1\n",
  "packages/agents/agents/claude/samples/a.json": "{}\n",
  "packages/dashboard/src/styles/page.css": "a {}\n\n",
  "packages/dashboard/src/styles/page.browser.tsx": "1\n",
  "scenarios/hook.ts": "1\n2\n3\n4\n",
  ".cache/x.ts": "1\n",
  ".git/x.ts": "1\n",
  "tools/x.tsbuildinfo": "1\n",
};

test("lines are counted per folder and kind, and generated, built and foreign files are kept apart", () => {
  using folder = temporaryTestFolder();
  for (const [path, content] of Object.entries(TREE)) {
    mkdirSync(dirname(folder.file(path)), { recursive: true });
    writeFileSync(folder.file(path), content, "latin1");
  }
  expect(formatRows(countLines(folder.path)).replace(/ +/g, " ").split("\n")).toEqual([
    "folder source files test files generated files other files longest",
    "conformance 3 1",
    "docs 1 1 1 1",
    "packages 10 3 6 5 2 1 5",
    "packages/agents 1 1",
    "packages/dashboard 2 1 1 1 2",
    "packages/dashboard/src/styles 2 1 1 1 2",
    "packages/hub 8 2 4 3 2 1 5",
    "packages/hub/src/ledger 3 1 4 3 3",
    "scenarios 4 1",
    "everything 10 3 10 6 5 3 5 4 5",
    "16 files, 30 lines",
  ]);
  expect(countLines(folder.path).find(({ folder: name }) => name === "packages/hub")).toEqual({
    folder: "packages/hub",
    source: { files: 2, lines: 8 },
    test: { files: 3, lines: 4 },
    generated: { files: 0, lines: 0 },
    other: { files: 1, lines: 2 },
    longest: 5,
  });
});
