import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { openTestAccess } from "../access/testing/test-access.ts";
import { TEST_PIN_RECORD, TestDevice } from "../access/testing/test-device.ts";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";

const MESSAGE = "changed while no hub was running";

function openWithPin() {
  const folder = temporaryTestFolder();
  const path = folder.file("access.json");
  const { access } = openTestAccess(path);
  access.setFirstPin(TEST_PIN_RECORD);
  access[Symbol.dispose]();
  return { path, seal: `${path}.seal`, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

function alarmsAfterStart(path: string): string {
  const { access } = openTestAccess(path, { expectsFile: true });
  return access.alarms.map(({ message }) => message).join("\n");
}

describe("leaves an alarm: a program of the same account changes the credentials while no hub is running", () => {
  it("by adding a device of its own", () => {
    using place = openWithPin();
    const state = JSON.parse(readFileSync(place.path, "utf8")) as { devices: object[] };
    const device = { id: "mine", name: "Mine", role: "admin", key: new TestDevice().key, admittedBy: "me", createdAt: "" };
    writeFileSync(place.path, JSON.stringify({ ...state, devices: [device] }));
    expect(alarmsAfterStart(place.path)).toContain(MESSAGE);
    expect(alarmsAfterStart(place.path)).toContain(MESSAGE); // until an approver has seen it
  });

  it("by adding a device and removing the seal", () => {
    using place = openWithPin();
    writeFileSync(place.path, readFileSync(place.path, "utf8").replace('"count": 0', '"count": 1'));
    rmSync(place.seal);
    expect(alarmsAfterStart(place.path)).toContain(MESSAGE);
  });

  it("by putting back an older file, with credentials that were revoked since", () => {
    using place = openWithPin();
    copyFileSync(place.path, `${place.path}.old`);
    const { access } = openTestAccess(place.path);
    access.raise("One.");
    access.raise("Two.");
    copyFileSync(`${place.path}.old`, place.path);
    expect(alarmsAfterStart(place.path)).toContain(MESSAGE);
  });

  it("by writing the file of an older version", () => {
    using place = openWithPin();
    const pin = { salt: TEST_PIN_RECORD.salt, cost: 16, hash: Buffer.alloc(32, 1).toString("base64url") };
    writeFileSync(place.path, JSON.stringify({ ...JSON.parse(readFileSync(place.path, "utf8")), version: 1, pin }));
    expect(alarmsAfterStart(place.path)).toContain("older version");
  });

  it("by removing it", () => {
    using place = openWithPin();
    rmSync(place.path);
    expect(alarmsAfterStart(place.path)).toContain("The file of credentials was missing");
  });

  test("a hub that ended at any moment leaves no alarm", () => {
    using place = openWithPin();
    const before = readFileSync(place.path);
    const { access } = openTestAccess(place.path);
    access.raise("One.");
    const after = readFileSync(place.path);
    // Killed between the two writes: the seal is written, the file is not.
    writeFileSync(place.path, before);
    expect(alarmsAfterStart(place.path)).not.toContain(MESSAGE);
    expect(after.equals(before)).toBe(false);
  });
});
