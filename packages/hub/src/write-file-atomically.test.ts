import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync, writeSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryTestFolder } from "./ledger/testing/temporary-folder.ts";
import { writeFileAtomically } from "./write-file-atomically.ts";

const CONTENT = '{"ünïcode":[1,2,3]}\n';
const LENGTH = Buffer.byteLength(CONTENT);

function noSpace(): Error {
  return Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
}

/** A disk with this much space, which accepts partial writes. */
function diskOf(room: number) {
  let left = room;
  return (descriptor: number, bytes: Uint8Array) => {
    if (left === 0) throw noSpace();
    const written = writeSync(descriptor, bytes, 0, Math.min(left, bytes.length));
    left -= written;
    return written;
  };
}

test.each(["replaced", "new"])("a file that is %s is complete or as it was, at whichever byte the disk is full", (kind) => {
  using folder = temporaryTestFolder();
  const path = folder.file("file");
  for (let room = 0; room < LENGTH; room++) {
    if (kind === "replaced") writeFileSync(path, "before");
    expect(() => writeFileAtomically(path, CONTENT, { write: diskOf(room) })).toThrow("ENOSPC");
    expect(readdirSync(folder.path)).toEqual(kind === "replaced" ? ["file"] : []);
    if (kind === "replaced") expect(readFileSync(path, "utf8")).toBe("before");
  }
  writeFileAtomically(path, CONTENT, { write: diskOf(LENGTH) });
  expect(readFileSync(path, "utf8")).toBe(CONTENT);
});

test("a write that takes a part of the bytes goes on with the rest", () => {
  using folder = temporaryTestFolder();
  for (let part = 1; part <= LENGTH; part++) {
    const write = (descriptor: number, bytes: Uint8Array) => writeSync(descriptor, bytes, 0, Math.min(part, bytes.length));
    writeFileAtomically(folder.file("file"), CONTENT, { write });
    expect(readFileSync(folder.file("file"), "utf8")).toBe(CONTENT);
  }
});

test("it is its owner's alone, also where it replaces one that was not; who may read it stays as it was where that is asked for", () => {
  using folder = temporaryTestFolder();
  const path = folder.file("file");
  writeFileSync(path, "before");
  chmodSync(path, 0o644);
  writeFileAtomically(path, CONTENT, { keepsMode: true });
  expect(statSync(path).mode & 0o777).toBe(0o644);
  writeFileAtomically(path, CONTENT);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a link stays one where that is asked for; a link in the way of the draft is not followed", () => {
  using folder = temporaryTestFolder();
  writeFileSync(folder.file("real"), "before");
  symlinkSync(folder.file("real"), folder.file("link"));
  writeFileAtomically(folder.file("link"), CONTENT, { keepsMode: true });
  expect(lstatSync(folder.file("link")).isSymbolicLink()).toBe(true);
  expect(readFileSync(folder.file("real"), "utf8")).toBe(CONTENT);
  writeFileSync(folder.file("elsewhere"), "untouched");
  symlinkSync(folder.file("elsewhere"), folder.file(`file.${process.pid}.new`));
  writeFileAtomically(folder.file("file"), CONTENT);
  expect(readFileSync(folder.file("elsewhere"), "utf8")).toBe("untouched");
});

test("an exclusive write keeps what another process has made", () => {
  using folder = temporaryTestFolder();
  const path = folder.file("file");
  writeFileAtomically(path, "first", { exclusive: true });
  expect(() => writeFileAtomically(path, "second", { exclusive: true })).toThrow("EEXIST");
  expect(readFileSync(path, "utf8")).toBe("first");
  expect(readdirSync(folder.path)).toEqual(["file"]);
});
