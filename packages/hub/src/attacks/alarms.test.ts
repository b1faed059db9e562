import { describe, expect, it } from "vitest";
import { openTestAccess } from "../access/testing/test-access.ts";
import { TEST_PIN_RECORD } from "../access/testing/test-device.ts";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";

describe("held: a program hides an alarm", () => {
  it("by raising the same other one many times", () => {
    using folder = temporaryTestFolder();
    const { access } = openTestAccess(folder.file("access.json"));
    access.setFirstPin(TEST_PIN_RECORD);
    access.reset.ask();
    for (let write = 0; write < 500; write++) access.raise("Rules that allow more wait for an approver.");
    expect(access.alarms).toMatchObject([
      { message: expect.stringContaining("first approver") },
      { message: expect.stringContaining("remove every approver") },
      { count: 500 },
    ]);
  });

  it("by raising many different ones", () => {
    using folder = temporaryTestFolder();
    const path = folder.file("access.json");
    const { access } = openTestAccess(path);
    access.setFirstPin(TEST_PIN_RECORD);
    access.reset.ask();
    for (let write = 0; write < 600; write++) access.raise(`Something is wrong with file ${write}.`);
    access[Symbol.dispose]();
    const { access: again } = openTestAccess(path);
    expect(again.alarms[1]?.message).toContain("remove every approver");
    expect(again.alarms.at(-1)).toMatchObject({ message: expect.stringContaining("More alarms"), count: 102 });
    expect(again.alarms).toHaveLength(501);
  });

  it("by making an approver see others until it is dropped", () => {
    using folder = temporaryTestFolder();
    const { access } = openTestAccess(folder.file("access.json"));
    access.raise("The first.");
    for (let write = 0; write < 150; write++) {
      access.raise(`Number ${write}.`);
      access.acknowledge(access.alarms.at(-1)?.id ?? "", "Ana");
    }
    expect(access.alarms[0]).toMatchObject({ message: "The first." });
    expect(access.alarms).toHaveLength(101);
  });
});
