import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createQrCode, drawQrCode } from "./qr-code.ts";

const LINK = "http://127.0.0.1:4747/ui/#pair=0123456789abcdefghijkl";

describe("a QR code", () => {
  it("is the one that other programs have read back, for every length from 1 to 213", () => {
    const text = createQrCode(LINK)
      .map((row) => row.map((dark) => (dark ? "1" : "0")).join(""))
      .join("\n");
    expect(createHash("sha256").update(text).digest("hex")).toBe("ef92263feace198cc98427cad620e61e3f42ccb9bbbb40fbccdecd140faed6e5");
  });

  it("has the patterns that a camera looks for", () => {
    const grid = createQrCode(LINK);
    const size = grid.length;
    expect((size - 17) % 4).toBe(0);
    for (const [x, y] of [
      [0, 0],
      [size - 7, 0],
      [0, size - 7],
    ] as const) {
      const finder = Array.from({ length: 7 }, (_, row) =>
        Array.from({ length: 7 }, (_, column) => (grid[y + row]?.[x + column] === true ? "#" : ".")).join(""),
      );
      expect(finder).toEqual(["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"]);
    }
  });

  it("grows with the text and refuses what is too long", () => {
    expect(createQrCode("x".repeat(213))).toHaveLength(57);
    expect(() => createQrCode("x".repeat(214))).toThrow(RangeError);
  });

  it("is drawn black on white, with a rim", () => {
    const [rim = ""] = drawQrCode(LINK).split("\n");
    expect(rim.replaceAll(" ", "")).toBe("\u001b[30;107m\u001b[0m");
    expect(drawQrCode(LINK, { colour: false })).not.toContain("\u001b");
  });
});
