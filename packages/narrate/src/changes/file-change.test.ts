import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffLines } from "./compare-lines.ts";
import { countChangedLines, readChanges } from "./file-change.ts";

const signs = { same: " ", gone: "-", new: "+", skip: "…" } as const;
const drawn = (lines: ReturnType<typeof diffLines>) => lines.map(({ kind, text }) => `${signs[kind]}${text}`);

describe("an edit as a change", () => {
  it("shows what goes and what comes, and what stays around it", () => {
    expect(drawn(diffLines("a\nb\nc\nd\n", "a\nB\nc\nd\ne\n"))).toEqual([" a", "-b", "+B", " c", " d", "+e"]);
  });

  it("leaves out long stretches that stay, and says how long", () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
    const after = lines.with(15, "changed");
    expect(drawn(diffLines(lines.join("\n"), after.join("\n")))).toEqual([
      "…12 unchanged lines",
      " line 12",
      " line 13",
      " line 14",
      "-line 15",
      "+changed",
      " line 16",
      " line 17",
      " line 18",
      "…11 unchanged lines",
    ]);
  });

  it("gives back both texts, whatever they are", () => {
    const texts = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 }).map((lines) => lines.map((line) => `${line}\n`).join(""));
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const lines = diffLines(before, after);
        if (lines.some(({ kind }) => kind === "skip")) return;
        const side = (kind: "gone" | "new") =>
          lines
            .filter((line) => line.kind === "same" || line.kind === kind)
            .map(({ text }) => `${text}\n`)
            .join("");
        expect([side("gone"), side("new")]).toEqual([before, after]);
      }),
    );
  });

  it("does not look for what thousands of lines share", () => {
    const long = (word: string) => Array.from({ length: 2000 }, (_, index) => `${word} ${index}`).join("\n");
    expect(diffLines(long("a"), long("b"))).toHaveLength(4000);
  });
});

describe("what agents call their tools with", () => {
  it.each([
    ["Edit", { file_path: "a.ts", old_string: "x", new_string: "y" }],
    ["str_replace_editor", { path: "a.ts", old_str: "x", new_str: "y" }],
    ["MultiEdit", { file_path: "a.ts", edits: [{ old_string: "x", new_string: "y" }] }],
    ["apply_patch", { input: "*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** End Patch" }],
    ["apply_patch", "--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-x\n+y"],
  ])("%s is a change of one line", (tool, input) => {
    const [change, ...others] = readChanges(tool, input);
    expect(others).toEqual([]);
    expect(change?.path).toBe("a.ts");
    expect(change === undefined ? undefined : countChangedLines(change)).toEqual({ added: 1, removed: 1 });
  });

  it("a file that is written is all new", () => {
    expect(readChanges("Write", { file_path: "a", content: "1\n2\n" })).toEqual([
      {
        path: "a",
        lines: [
          { kind: "new", text: "1" },
          { kind: "new", text: "2" },
        ],
      },
    ]);
  });

  it("is no change where it is none", () => {
    for (const input of [undefined, null, 7, "rm -rf /", { command: "ls" }, { path: "a", content: "b" }, [], { edits: ["x"] }]) {
      expect(readChanges("Post", input)).toEqual([]);
    }
  });
});
