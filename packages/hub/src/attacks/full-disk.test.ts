import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";

const HAS_LIMITS = spawnSync("prlimit", ["--version"]).status === 0;

describe.skipIf(!HAS_LIMITS)("held: a program fills the disk", () => {
  it("so that the file of credentials is cut while it is written, or nobody can decide with the PIN, or guesses are not counted", () => {
    using folder = temporaryTestFolder();
    const words = [new URL("testing/write-on-full-disk.ts", import.meta.url).pathname, folder.file("access.json")];
    const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
    expect({ stdout, stderr }).toEqual({ stdout: "held\n", stderr: "" });
  });
});
