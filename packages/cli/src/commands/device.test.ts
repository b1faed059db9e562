import { describe, expect, it } from "vitest";
import { drawQrCode } from "./device.ts";

const LINK = "http://127.0.0.1:4747/ui/#pair=0123456789abcdefghijkl";

describe("a QR code", () => {
  it("has the patterns that a camera looks for, within a rim", () => {
    const lines = drawQrCode(LINK, { colour: false }).trimEnd().split("\n");
    const [first = "", second = "", third = "", fourth = ""] = lines.slice(1).map((line) => line.slice(2, 9));
    expect([first, second, third, fourth]).toEqual(["█▀▀▀▀▀█", "█ ███ █", "█ ▀▀▀ █", "▀▀▀▀▀▀▀"]);
    expect(drawQrCode(LINK, { colour: false })).toMatch(/^ +\n/);
  });

  it("is drawn black on white where the terminal takes colors", () => {
    const [rim = ""] = drawQrCode(LINK).split("\n");
    expect(rim.replaceAll(" ", "")).toBe("\u001b[30;107m\u001b[0m");
    expect(drawQrCode(LINK, { colour: false })).not.toContain("\u001b");
  });
});
