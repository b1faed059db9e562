import { describe, expect, it } from "vitest";
import { wrap } from "./style.ts";

describe("wrapping", () => {
  it("fills lines up to the width, the indent included", () => {
    expect(wrap("one two three four five six seven eight", { width: 30, indent: "  " })).toEqual([
      "  one two three four five six",
      "  seven eight",
    ]);
  });

  it("sets the lines after the first further in when asked to", () => {
    expect(wrap("one two three four five six seven eight", { width: 26, indent: "", hanging: "  " })).toEqual([
      "one two three four five",
      "  six seven eight",
    ]);
  });

  it("never breaks a path or an id", () => {
    const path = "/a/very/long/path/".repeat(10);
    expect(wrap(`see ${path} there`, { width: 40, indent: "" })).toEqual(["see", path, "there"]);
  });

  it.each([0, -1, Number.POSITIVE_INFINITY, Number.NaN])("leaves the line whole when the width is %d", (width) => {
    expect(wrap("word ".repeat(100), { width, indent: "" })).toHaveLength(1);
  });

  it("stays readable in a window that is too narrow", () => {
    expect(wrap("a few words here", { width: 1, indent: "" })).toEqual(["a few words here"]);
  });
});
