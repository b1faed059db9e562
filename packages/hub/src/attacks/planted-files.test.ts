import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hubHomeOf } from "../home.ts";
import { spooledFiles, spoolLines } from "../hooks/hook-spool.ts";
import { deliverSpool } from "../hooks/spool-delivery.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import { readRegularFile } from "../regular-file.ts";
import { openBench } from "../requests/testing/engine-bench.ts";

const NAME = "000000001-00000000.jsonl";
const makePipe = (path: string) => void spawnSync("mkfifo", [path]);
const PLANTED: Readonly<Record<string, (path: string) => void>> = {
  "a pipe without a writer": makePipe,
  "a folder": (path) => void mkdirSync(path),
  "a link": (path) => symlinkSync("/etc/hostname", path),
  "a link to an endless file": (path) => symlinkSync("/dev/zero", path),
  "a file of 10 GB": (path) => {
    writeFileSync(path, "");
    truncateSync(path, 10 * 1024 ** 3);
  },
};

describe.skipIf(process.platform === "win32")("held: a program plants a file where the hub reads", () => {
  it.each([["a pipe without a writer"], ["a folder"], ["a link"], ["a link to an endless file"], ["a file of 10 GB"]])(
    "%s: it is neither waited for, nor followed, nor read whole",
    (what) => {
      using folder = temporaryTestFolder();
      const path = folder.file(NAME);
      PLANTED[what]?.(path);
      expect(() => readRegularFile(path, { maxBytes: 1024 * 1024 })).toThrow();
      expect(spooledFiles(folder.path)).toEqual(what === "a file of 10 GB" ? [NAME] : []);
    },
  );

  it("a pipe in the place of each file of the hub's folder: neither the hub nor a hook waits for it", () => {
    using folder = temporaryTestFolder();
    const home = hubHomeOf({ EARSHOT_HOME: folder.path });
    mkdirSync(home.hookSpool, { recursive: true });
    for (const name of READ) makePipe(join(name === "dropped" ? home.hookSpool : folder.path, name));
    const script = new URL("testing/read-home.ts", import.meta.url).pathname;
    const { stdout, stderr } = spawnSync(process.execPath, [script, folder.path], { encoding: "utf8", timeout: 30_000 });
    expect(stderr).toBe("");
    expect(stdout.split("\n")).toEqual(expect.arrayContaining([...READ, "all"]));
  });

  it("many large files in the spool of hooks: a part of one is taken in at a time", async () => {
    await using bench = await openBench();
    using folder = temporaryTestFolder();
    const event = (id: number) =>
      JSON.stringify({ id: `planted-${id}`, type: "model.delta", specversion: "0.1", data: "x".repeat(300_000) });
    for (let file = 0; file < 20; file++) spoolLines(folder.path, [event(2 * file), event(2 * file + 1)], file + 1);
    spoolLines(folder.path, ["x".repeat(2_000_000)], 21);
    const batches: number[] = [];
    const { ledger } = bench;
    const append: Ledger["append"] = (submissions) => {
      batches.push(submissions.length);
      return ledger.append(submissions);
    };
    const watched: Ledger = Object.create(ledger, {
      append: { value: append },
      refuse: { value: (refused: readonly unknown[]) => batches.push(refused.length) },
    });
    const intake = { ledger: watched, now: Date.now, redacts: () => true };
    await deliverSpool(folder.path, "producer", intake, (error) => batches.push(Number(error)));
    expect(spooledFiles(folder.path)).toEqual([]);
    expect(batches.reduce((sum, size) => sum + size)).toBe(41);
    expect(Math.max(...batches)).toBeLessThan(4);
  });
});

const READ: readonly string[] = [
  "hub-socket",
  "address.json",
  "last-start.json",
  "hook.key",
  "policy.accepted.json",
  "policy.yaml",
  "dropped",
  "access.json",
  "access.seal",
  "seal-key.pem",
  "ledger.db.holder",
  "seals.jsonl",
  "attachments.json",
  "aaep-subscriptions.jsonl",
  "manifest.key",
  "hub.log",
  "producer.token",
];
