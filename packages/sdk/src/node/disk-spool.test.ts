import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { disposableFolder, someLines } from "../testing/temporary-folder.ts";
import { DiskSpool } from "./disk-spool.ts";
import { newWriterName, segmentName } from "./spool-names.ts";

const DEAD = 2 ** 22 + 1; // no Linux process has this number

async function drain(spool: DiskSpool, which: "next" | "nextLeftover"): Promise<string[]> {
  const lines: string[] = [];
  for (let parcel = await spool[which](100); parcel !== undefined; parcel = await spool[which](100)) {
    lines.push(...parcel.lines);
    await parcel.settle(parcel.lines.length);
  }
  return lines;
}

describe("the spool", () => {
  it("gives back lines in order and leaves nothing behind", async () => {
    using folder = disposableFolder();
    const spool = new DiskSpool({ folder: folder.path, maxBytes: 1e8 });
    await spool.write(someLines(1, 10));
    const place = spool.reserve();
    spool.writeNow(someLines(21, 30));
    await spool.write(someLines(11, 20), place);
    expect(spool.waiting).toBe(30);
    expect(await drain(spool, "next")).toEqual(someLines(1, 30));
    expect(spool.waiting).toBe(0);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it("gives lines again until they are done with", async () => {
    using folder = disposableFolder();
    const spool = new DiskSpool({ folder: folder.path, maxBytes: 1e8 });
    await spool.write(someLines(1, 10));
    const parcel = await spool.next(5);
    await parcel?.settle(3);
    expect((await spool.next(100))?.lines).toEqual(someLines(4, 10));
  });

  it("writes files that only their user can read", async () => {
    using folder = disposableFolder();
    const spool = new DiskSpool({ folder: join(folder.path, "spool"), maxBytes: 1e8 });
    await spool.write(someLines(1, 1));
    const [writer = ""] = readdirSync(join(folder.path, "spool"));
    const path = join(folder.path, "spool", writer);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(statSync(join(path, segmentName(1))).mode & 0o777).toBe(0o600);
  });

  it("stays within its bounds: the oldest go, and are counted", async () => {
    using folder = disposableFolder();
    const spool = new DiskSpool({ folder: folder.path, maxBytes: 1_000_000 });
    let dropped = 0;
    spool.onDropped((lines) => {
      dropped += lines;
    });
    const line = `{"x":"${"x".repeat(1000)}"}`;
    for (let round = 0; round < 30; round++) await spool.write(Array.from({ length: 100 }, () => line));
    const [writer = ""] = readdirSync(folder.path);
    const files = readdirSync(join(folder.path, writer));
    const bytes = files.reduce((sum, name) => sum + statSync(join(folder.path, writer, name)).size, 0);
    expect(bytes).toBeLessThanOrEqual(1_000_000);
    expect(dropped + spool.waiting).toBe(3000);
    expect(await drain(spool, "next")).toHaveLength(3000 - dropped);
  });

  it("removes the oldest leftovers where no hub ever comes", async () => {
    using folder = disposableFolder();
    for (let started = 1; started <= 200; started++) leave(folder.path, newWriterName(started, DEAD), someLines(started, started));
    const spool = new DiskSpool({ folder: folder.path, maxBytes: 1e8 });
    await spool.write(someLines(1, 1));
    expect(readdirSync(folder.path)).toHaveLength(129);
  });

  it("delivers what dead processes left, oldest first, without lines that were torn", async () => {
    using folder = disposableFolder();
    leave(folder.path, newWriterName(2000, DEAD), ["", '{"to', ...someLines(3, 4)]);
    leave(folder.path, newWriterName(1000, DEAD), someLines(1, 2));
    const spool = new DiskSpool({ folder: folder.path, maxBytes: 1e8 });
    expect(spool.hasLeftovers).toBe(false);
    spool.lookForLeftovers();
    expect(await drain(spool, "nextLeftover")).toEqual(someLines(1, 4));
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it("leaves alone what living processes write, until they let go", async () => {
    using folder = disposableFolder();
    const writer = new DiskSpool({ folder: folder.path, maxBytes: 1e8 });
    await writer.write(someLines(1, 2));
    const other = new DiskSpool({ folder: folder.path, maxBytes: 1e8 });
    other.lookForLeftovers();
    expect(await drain(other, "nextLeftover")).toEqual([]);
    writer.release();
    other.lookForLeftovers();
    expect(await drain(other, "nextLeftover")).toEqual(someLines(1, 2));
  });

  it("is claimed by one of several that want it", async () => {
    using folder = disposableFolder();
    for (let started = 1; started <= 20; started++) leave(folder.path, newWriterName(started, DEAD), someLines(started, started));
    const spools = [1, 2, 3].map(() => new DiskSpool({ folder: folder.path, maxBytes: 1e8 }));
    for (const spool of spools) spool.lookForLeftovers();
    const got = (await Promise.all(spools.map((spool) => drain(spool, "nextLeftover")))).flat();
    expect(got).toHaveLength(20);
    expect(new Set(got)).toEqual(new Set(someLines(1, 20)));
  });

  it("says when it cannot write, and does not throw", async () => {
    using folder = disposableFolder();
    writeFileSync(join(folder.path, "file"), "");
    const spool = new DiskSpool({ folder: join(folder.path, "file"), maxBytes: 1e8 });
    expect(spool.isUsable).toBe(true);
    expect(await spool.write(someLines(1, 1))).toBe(false);
    expect(spool.writeNow(someLines(1, 1))).toBe(false);
    expect(spool.isUsable).toBe(false);
    expect(spool.waiting).toBe(0);
    spool.release();
  });

  it("writes nothing where it may not", () => {
    using folder = disposableFolder();
    const spool = new DiskSpool({ folder: folder.path, maxBytes: 0 });
    expect(spool.isUsable).toBe(false);
    expect(spool.writeNow(someLines(1, 1))).toBe(false);
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

function leave(spool: string, name: string, lines: readonly string[]): void {
  mkdirSync(join(spool, name), { recursive: true });
  writeFileSync(join(spool, name, segmentName(1)), lines.join("\n"));
}
