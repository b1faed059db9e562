import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { openTestAccess } from "../access/testing/test-access.ts";
import { TestDevice } from "../access/testing/test-device.ts";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";

describe("held: a program asks to be admitted", () => {
  it("with a key that it chose for the number it gives", () => {
    using folder = temporaryTestFolder();
    const { access } = openTestAccess(folder.file("access.json"));
    const { key } = new TestDevice();
    const numbers = Array.from({ length: 5 }, () => {
      const { id, code } = access.pairings.offer("approver", "commands");
      const known = createHash("sha256").update(`${id}.${key.x}.${key.y}`).digest().readUInt32BE(0) % 1_000_000;
      return [access.claim(code, key, "Phone").match, String(known).padStart(6, "0")];
    });
    expect(numbers.some(([shown, known]) => shown === known)).toBe(false);
  });
});
