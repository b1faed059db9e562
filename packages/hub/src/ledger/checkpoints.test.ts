import { appendFileSync, chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readSeal, signLine } from "./seal-line.ts";
import { SampleLedger } from "./testing/sample-ledger.ts";
import { temporaryTestFolder } from "./testing/temporary-folder.ts";

function linesOf(ledger: SampleLedger): readonly string[] {
  return readFileSync(ledger.sealFile, "utf8").split("\n").slice(0, -1);
}

function storedLines(ledger: SampleLedger): readonly unknown[] {
  return ledger.db
    .prepare("SELECT line FROM seal ORDER BY number")
    .all()
    .map(({ line }) => line);
}

test("a seal names the last entry of each session heard from since the seal before", async () => {
  using folder = temporaryTestFolder();
  using ledger = await SampleLedger.open(folder.path);
  expect(await ledger.seal()).toBeUndefined();
  const positions = [0, 1, 0, 0, 1].map((session) => ledger.append(session));
  const first = readSeal((await ledger.seal()) ?? "", ledger.key.publicKey);
  expect(first).toMatchObject({ seal: 1, after: 0, upTo: positions[4], entries: 5, cuts: 0, tombstones: [], before: null });
  expect(first?.sessions.map(([key, position]) => [key, position])).toEqual([
    [ledger.keyOf(0), positions[3]],
    [ledger.keyOf(1), positions[4]],
  ]);
  expect(await ledger.seal()).toBeUndefined();
  const next = ledger.append(1);
  expect(readSeal((await ledger.seal()) ?? "", ledger.key.publicKey)).toMatchObject({
    seal: 2,
    after: positions[4],
    upTo: next,
    entries: 1,
  });
  expect(linesOf(ledger)).toEqual(storedLines(ledger));
  expect(linesOf(ledger)).toHaveLength(2);
  expect(statSync(ledger.sealFile).mode & 0o777).toBe(0o600);
});

test("a cut alone is sealed too, with the digest of its tombstone", async () => {
  using folder = temporaryTestFolder();
  using ledger = await SampleLedger.open(folder.path);
  ledger.append(0);
  await ledger.seal();
  await ledger.cut(0);
  const seal = readSeal((await ledger.seal()) ?? "", ledger.key.publicKey);
  expect(seal).toMatchObject({ seal: 2, entries: 0, cuts: 1, tombstones: [[1, expect.stringMatching(/^[0-9a-f]{64}$/)]] });
  await ledger.reopen();
  expect(await ledger.seal()).toBeUndefined();
});

test("entries and tombstones that the last process did not seal are covered by the next", async () => {
  using folder = temporaryTestFolder();
  using ledger = await SampleLedger.open(folder.path);
  for (let turn = 0; turn < 2500; turn++) ledger.append(turn % 3, "{}");
  await ledger.seal();
  for (let turn = 0; turn < 2500; turn++) ledger.append(turn % 3, "{}");
  await ledger.cut(2, { upTo: 100 });
  await ledger.reopen();
  const seal = readSeal((await ledger.seal()) ?? "", ledger.key.publicKey);
  expect([seal?.entries, seal?.tombstones.length]).toEqual([2500, 1]);
  expect(await ledger.verify()).toMatchObject({ ok: true, unsealed: 0, seals: 2, tombstones: 1 });
});

test("the file catches up with the ledger after a process that died between the two, or within a line", async () => {
  using folder = temporaryTestFolder();
  using ledger = await SampleLedger.open(folder.path);
  for (let turn = 0; turn < 3; turn++) {
    ledger.append(turn);
    await ledger.seal();
  }
  const complete = readFileSync(ledger.sealFile, "utf8");
  const lastLine = complete.lastIndexOf("\n", complete.length - 2) + 1;
  for (const length of [lastLine, lastLine + 1, lastLine + 40, complete.length - 1, complete.length]) {
    writeFileSync(ledger.sealFile, complete.slice(0, length));
    await ledger.reopen();
    expect(ledger.checkpoints.fault).toBeUndefined();
    expect(readFileSync(ledger.sealFile, "utf8")).toBe(complete);
  }
  expect(await ledger.verify()).toMatchObject({ ok: true, sealFileBehind: 0 });
});

test("a file that lost more than the newest seal is completed, and somebody is told", async () => {
  using folder = temporaryTestFolder();
  using ledger = await SampleLedger.open(folder.path);
  for (let turn = 0; turn < 4; turn++) {
    ledger.append(turn);
    await ledger.seal();
  }
  const complete = readFileSync(ledger.sealFile, "utf8");
  rmSync(ledger.sealFile);
  await ledger.reopen();
  expect(ledger.checkpoints.fault).toContain("lacked the seals after 0");
  expect(readFileSync(ledger.sealFile, "utf8")).toBe(complete);
  expect(await ledger.verify()).toMatchObject({ ok: true });
});

test("a file that has more than the ledger is never overwritten, and does not verify", async () => {
  using folder = temporaryTestFolder();
  using ledger = await SampleLedger.open(folder.path);
  for (let turn = 0; turn < 3; turn++) {
    ledger.append(turn);
    await ledger.seal();
  }
  const complete = readFileSync(ledger.sealFile, "utf8");
  ledger.db.exec("DELETE FROM seal WHERE number = 3");
  expect((await ledger.verify()).firstBreak).toMatchObject({ what: "seal-missing" });
  await ledger.reopen();
  expect(ledger.checkpoints.fault).toContain("it has seal 3");
  ledger.append(0);
  await ledger.seal();
  expect(readFileSync(ledger.sealFile, "utf8").startsWith(complete)).toBe(true);
  expect((await ledger.verify()).firstBreak).toMatchObject({ what: "seal-file" });
});

test("nonsense at the end of the file stays there, and does not verify", async () => {
  using folder = temporaryTestFolder();
  using ledger = await SampleLedger.open(folder.path);
  ledger.append(0);
  await ledger.seal();
  appendFileSync(ledger.sealFile, "nonsense");
  await ledger.reopen();
  expect(ledger.checkpoints.fault).toContain("middle of a line");
  ledger.append(0);
  await ledger.seal();
  expect(readFileSync(ledger.sealFile, "utf8")).toContain("\nnonsense\n{");
  expect((await ledger.verify()).firstBreak).toMatchObject({ what: "seal-file" });
});

test("a file that cannot be written holds nothing up, and catches up later", async () => {
  using folder = temporaryTestFolder();
  using ledger = await SampleLedger.open(folder.path);
  mkdirSync(ledger.sealFile);
  ledger.append(0);
  expect(await ledger.seal()).toBeDefined();
  expect(ledger.checkpoints.fault).toContain("cannot be written");
  rmSync(ledger.sealFile, { recursive: true });
  ledger.append(0);
  await ledger.seal();
  expect(linesOf(ledger)).toHaveLength(2);
  chmodSync(ledger.sealFile, 0o600);
  expect(await ledger.verify()).toMatchObject({ ok: true, seals: 2 });
});

test("a seal that the ledger could not take is made again", async () => {
  using folder = temporaryTestFolder();
  using ledger = await SampleLedger.open(folder.path);
  ledger.append(0);
  ledger.db.exec("PRAGMA query_only = ON");
  await expect(ledger.seal()).rejects.toMatchObject({ problem: { code: "LEDGER_UNAVAILABLE" } });
  ledger.db.exec("PRAGMA query_only = OFF");
  expect(readSeal((await ledger.seal()) ?? "", ledger.key.publicKey)).toMatchObject({ seal: 1, entries: 1 });
});

test("a line passes for nothing but what was signed", async () => {
  using folder = temporaryTestFolder();
  using ledger = await SampleLedger.open(folder.path);
  ledger.append(0);
  const line = (await ledger.seal()) ?? "";
  const { publicKey, privateKey } = ledger.key;
  expect(readSeal(line, publicKey)).toBeDefined();
  for (let index = 0; index < line.length; index++) {
    const changed = line.slice(0, index) + String.fromCharCode(line.charCodeAt(index) ^ 1) + line.slice(index + 1);
    expect(readSeal(changed, publicKey)).toBeUndefined();
  }
  expect(readSeal(line.toUpperCase(), publicKey)).toBeUndefined();
  expect(readSeal(`${line} `, publicKey)).toBeUndefined();
  expect(readSeal(signLine("tombstone", { seal: 1 }, privateKey), publicKey)).toBeUndefined();
});
