import { expect, test } from "vitest";
import { readToolCall } from "./read-call.ts";

const PATCH =
  "*** Begin Patch\n*** Update File: src/cart.ts\n@@\n-  return a\n+  return b\n+  // c\n*** Delete File: src/old.ts\n*** End Patch";

test.each([
  ["an edit", { tool: "Edit", input: { file_path: "/a/b.ts", new_string: "x\ny" } }, { kind: "edit", paths: ["/a/b.ts"], lines: 2 }],
  [
    "several edits",
    { tool: "MultiEdit", input: { path: "b.ts", edits: [{ new_string: "x" }, { new_string: "y\nz\n" }] } },
    { kind: "edit", paths: ["b.ts"], lines: 3 },
  ],
  [
    "a patch as a command",
    { tool: "apply_patch", input: { command: PATCH }, subject: PATCH },
    { kind: "edit", paths: ["src/cart.ts", "src/old.ts"], lines: 2 },
  ],
  ["a patch as text", { tool: "apply_patch", input: PATCH }, { kind: "edit", paths: ["src/cart.ts", "src/old.ts"], lines: 2 }],
  [
    "a patch that only adds",
    { tool: "apply_patch", input: { patch: "*** Begin Patch\n*** Add File: a.md\n+x\n" } },
    { kind: "write", paths: ["a.md"], lines: 1 },
  ],
  [
    "a patch that only removes",
    { tool: "apply_patch", input: { patch: "*** Begin Patch\n*** Delete File: a.md\n" } },
    { kind: "delete", paths: ["a.md"] },
  ],
  [
    "a unified diff",
    { tool: "apply_diff", input: { diff: "--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-a\n+b\n" } },
    { kind: "edit", paths: ["x.ts"], lines: 1 },
  ],
  [
    "an editor that looks",
    { tool: "str_replace_based_edit_tool", subject: "view", input: { command: "view", path: "b.ts" } },
    { kind: "read", paths: ["b.ts"] },
  ],
  [
    "an editor that creates",
    { tool: "str_replace_editor", input: { command: "create", path: "b.ts", file_text: "x\n" } },
    { kind: "write", paths: ["b.ts"], lines: 1 },
  ],
  ["several files", { tool: "read_many_files", input: { paths: ["a.ts", "b.ts"] } }, { kind: "read", paths: ["a.ts", "b.ts"] }],
  ["a subject alone", { tool: "Read", subject: "src/cart.ts" }, { kind: "read", paths: ["src/cart.ts"] }],
  ["a query", { tool: "Grep", input: { pattern: "coupon", path: "src" } }, { kind: "search", paths: [], query: "coupon" }],
  [
    "an address",
    { tool: "WebFetch", input: { url: "https://example.org/a" } },
    { kind: "fetch", paths: [], address: "https://example.org/a" },
  ],
  ["a plan", { tool: "update_plan", input: { plan: [{ step: "a" }, { step: "b" }] } }, { kind: "plan", paths: [], steps: 2 }],
  ["nothing", { tool: "Edit" }, { kind: "edit", paths: [] }],
])("%s", (_name, call, expected) => {
  expect(readToolCall(call)).toEqual(expected);
});

test("a command is read from wherever agents put it", () => {
  for (const input of [
    { command: "npm test" },
    { cmd: "npm test" },
    { CommandLine: "npm test" },
    { command: ["npm", "test"] },
    { commands: ["npm test"] },
    "npm test",
  ])
    expect(readToolCall({ tool: "Bash", input })).toMatchObject({ kind: "command", script: "npm test", command: { effect: "test" } });
});
