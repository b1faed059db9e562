import { expect, it } from "vitest";
import { inBreaths } from "./voice.ts";

it("a text without end is said in several breaths, and every word of it", () => {
  const text = Array.from({ length: 2000 }, (_, index) => `word${index}`).join(" ");
  const breaths = inBreaths([{ text }, { text: "x".repeat(5000) }], "en");
  expect(Math.max(...breaths.map((breath) => breath.text.length))).toBeLessThanOrEqual(2000);
  expect(
    breaths
      .map((breath) => breath.text)
      .join("")
      .replaceAll(" ", ""),
  ).toBe(`${text.replaceAll(" ", "")}${"x".repeat(5000)}`);
});

it("nothing is no breath", () => {
  expect(inBreaths([{ text: "" }, { text: "  " }], "en")).toEqual([]);
});
