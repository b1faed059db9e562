import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { EarshotError } from "@earshot/protocol";
import { expect, test } from "vitest";
import { type LockHolder, takeLock } from "./lock.ts";
import { startChildProgram } from "./testing/child.ts";
import { temporaryTestFolder } from "./testing/temporary-folder.ts";

const ME: LockHolder = { pid: process.pid, started: "2026-01-01T00:00:00.000Z" };

function problemOf(work: () => unknown): { code: string; message: string } {
  try {
    work();
  } catch (error) {
    if (EarshotError.is(error)) return error.problem;
    throw error;
  }
  throw new Error("nothing was thrown");
}

test("a second holder within one process is refused, and told who the first is", () => {
  using folder = temporaryTestFolder();
  const path = folder.file("ledger.db");
  using lock = takeLock(path, ME);
  lock.update({ ...ME, address: "http://127.0.0.1:4100" });
  for (let turn = 0; turn < 3; turn++) {
    const problem = problemOf(() => takeLock(path, { ...ME, pid: 2 }));
    expect(problem.code).toBe("LEDGER_IN_USE");
    expect(problem.message).toContain(`process ${process.pid}`);
    expect(problem.message).toContain("http://127.0.0.1:4100");
  }
});

test("a lock that was released can be taken again, and its files are private", () => {
  using folder = temporaryTestFolder();
  const path = folder.file("home/ledger.db");
  const first = takeLock(path, ME);
  expect(statSync(folder.file("home")).mode & 0o777).toBe(0o700);
  for (const name of ["home/ledger.db.lock", "home/ledger.db.holder"]) expect(statSync(folder.file(name)).mode & 0o777).toBe(0o600);
  first.release();
  first.release();
  first.update(ME); // too late: changes nothing
  expect(Object.keys(folder.snapshot()).sort()).toEqual(["home", "home/ledger.db.lock"]);
  using second = takeLock(path, ME);
  second.update({ ...ME, address: "here" });
  expect(JSON.parse(readFileSync(`${path}.holder`, "utf8"))).toEqual({ ...ME, address: "here" });
});

test("another process is refused while the first lives, and not after the first was killed", async () => {
  using folder = temporaryTestFolder();
  const path = folder.file("ledger.db");
  for (let turn = 0; turn < 3; turn++) {
    await using child = await startChildProgram("hold-lock.ts", path, "http://127.0.0.1:4711");
    const problem = problemOf(() => takeLock(path, ME));
    expect(problem).toMatchObject({ code: "LEDGER_IN_USE" });
    expect(problem.message).toContain(`process ${child.pid}`);
    expect(problem.message).toContain("http://127.0.0.1:4711");
    await child.kill();
    takeLock(path, ME).release();
  }
});

test("a child process is refused while this one holds the lock", async () => {
  using folder = temporaryTestFolder();
  const path = folder.file("ledger.db");
  using _lock = takeLock(path, ME);
  await expect(startChildProgram("hold-lock.ts", path)).rejects.toThrow("hold-lock.ts ended with 9");
});

test("a description left behind, or a spoilt one, decides nothing", () => {
  using folder = temporaryTestFolder();
  const path = folder.file("ledger.db");
  for (const stale of ['{"pid":1,"started":"long ago"}', "{", "null", '{"pid":"x","started":1}', ""]) {
    writeFileSync(`${path}.holder`, stale);
    takeLock(path, ME).release();
  }
  using _lock = takeLock(path, ME);
  writeFileSync(`${path}.holder`, "spoilt");
  expect(problemOf(() => takeLock(path, ME)).message).toContain("in use by another process");
});

test("what stands in the lock's place is refused and left alone", () => {
  using folder = temporaryTestFolder();
  const places: Readonly<Record<string, (lock: string) => void>> = {
    text: (lock) => writeFileSync(lock, "somebody's notes"),
    folder: (lock) => mkdirSync(lock),
    link: (lock) => symlinkSync("/dev/null", lock),
  };
  for (const [name, put] of Object.entries(places)) {
    const path = folder.file(name);
    put(`${path}.lock`);
    const before = folder.snapshot();
    expect(problemOf(() => takeLock(path, ME)).code).toBe("LEDGER_REFUSED");
    expect(folder.snapshot()).toEqual(before);
  }
});
