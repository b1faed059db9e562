import { describe, expect, it } from "vitest";
import { compareVersions } from "./compare-versions.ts";

describe("versions", () => {
  it("are in order", () => {
    const ordered = ["0.1.0", "0.2.0-beta.2", "0.2.0-beta.10", "0.2.0-rc.1", "0.2.0", "0.10.0", "1.0.0"];
    for (const [index, older] of ordered.entries()) {
      for (const newer of ordered.slice(index + 1)) {
        expect([older, newer, Math.sign(compareVersions(older, newer))]).toEqual([older, newer, -1]);
        expect(Math.sign(compareVersions(newer, older))).toBe(1);
      }
      expect(compareVersions(older, `${older}+build.7`)).toBe(0);
    }
  });
});
