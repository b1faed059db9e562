import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { spooledFiles, takeDropped } from "../hooks/hook-spool.ts";
import { readRegularFile } from "../hooks/read-regular-file.ts";
import { temporaryFolder } from "../ledger/testing/temporary-folder.ts";

const NAME = "000000001-00000000.jsonl";
const PLANTED: Readonly<Record<string, (path: string) => void>> = {
  "a pipe without a writer": (path) => void spawnSync("mkfifo", [path]),
  "a folder": (path) => void mkdirSync(path),
  "a link": (path) => symlinkSync("/etc/hostname", path),
  "a link to an endless file": (path) => symlinkSync("/dev/zero", path),
  "a file of 10 GB": (path) => {
    writeFileSync(path, "");
    truncateSync(path, 10 * 1024 ** 3);
  },
};

describe.skipIf(process.platform === "win32")("a file that was planted where the hub reads", () => {
  it.each(Object.keys(PLANTED))("%s: is neither waited for, nor followed, nor read whole", (what) => {
    using folder = temporaryFolder();
    const path = folder.file(NAME);
    PLANTED[what]?.(path);
    expect(() => readRegularFile(path, 1024 * 1024)).toThrow();
    expect(spooledFiles(folder.path)).toEqual(what === "a file of 10 GB" ? [NAME] : []);
  });

  it("is not believed as the count of dropped hooks", () => {
    using folder = temporaryFolder();
    spawnSync("mkfifo", [folder.file("dropped")]);
    expect(takeDropped(folder.path)).toBe(0);
  });
});
