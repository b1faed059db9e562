import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryTestFolder } from "../../../hub/src/ledger/testing/temporary-folder.ts";
import { findScreenReader, readProcesses, SCREEN_READERS } from "./screen-readers.ts";

it.each(SCREEN_READERS)("$name is found by its process", async ({ name, platform, processes }) => {
  for (const one of processes) expect((await findScreenReader(platform, async () => new Set(["bash", one])))?.name).toBe(name);
  expect(await findScreenReader(platform, async () => new Set(["bash"]))).toBeUndefined();
});

it("a script is known by its name, whatever runs it", () => {
  using folder = temporaryTestFolder();
  const processes = folder.file("proc");
  for (const [id, comm, cmdline] of [
    ["12", "python3\n", "/usr/bin/python3\0/usr/bin/orca\0--replace\0"],
    ["13", "BRLTTY\n", "brltty\0"],
    ["self", "nothing\n", ""],
  ] as const) {
    mkdirSync(join(processes, id), { recursive: true });
    writeFileSync(join(processes, id, "comm"), comm);
    writeFileSync(join(processes, id, "cmdline"), cmdline);
  }
  mkdirSync(join(processes, "14"));
  expect(readProcesses(processes)).toEqual(["python3", "orca", "brltty"]);
  expect(readProcesses(join(processes, "nowhere"))).toEqual([]);
});
