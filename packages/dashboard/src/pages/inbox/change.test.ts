import { describe, expect, it } from "vitest";
import { readInputChanges } from "./change.ts";

const SIGNS = { same: " ", gone: "-", new: "+", skip: "…" } as const;
const changes = (title: string, input: object) =>
  readInputChanges({ title, input: input as never }).map(({ lines }) => lines.map(({ kind, text }) => `${SIGNS[kind]}${text}`));

describe("what an edit would change", () => {
  it("is found in the inputs of many tools", () => {
    expect(changes("Write", { file_path: "a", content: "x\ny" })).toEqual([["+x", "+y"]]);
    expect(changes("Edit", { old_string: "one\ntwo", new_string: "one\n2" })).toEqual([[" one", "-two", "+2"]]);
    expect(changes("Edit", { old_string: "a", new_string: "" })).toEqual([["-a"]]);
    expect(
      changes("MultiEdit", {
        edits: [
          { old_string: "a", new_string: "b" },
          { old_string: "c", new_string: "d" },
        ],
      }),
    ).toEqual([
      ["-a", "+b"],
      ["-c", "+d"],
    ]);
    expect(changes("Bash", { command: "ls" })).toEqual([]);
  });

  it("leaves nothing out of a patch, not even a file that is deleted", () => {
    expect(changes("apply_patch", { input: "*** Delete File: b\n*** Update File: a\n@@\n same\n-old\n+new" })).toEqual([
      ["…*** Delete File: b", "…*** Update File: a", "…@@", " same", "-old", "+new"],
    ]);
  });

  it("is told whole or not at all: then the input stands there as it is", () => {
    expect(changes("MultiEdit", { edits: [{ old_string: "a", new_string: "b" }, { command: "rm -rf ~" }] })).toEqual([]);
  });
});
