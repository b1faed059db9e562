import { describe, expect, it } from "vitest";
import { createStyle } from "./style.ts";

describe("style", () => {
  it("changes nothing unless colour is asked for", () => {
    const { bold, red, yellow, green, cyan } = createStyle(false);
    expect(bold(red(yellow(green(cyan("text")))))).toBe("text");
  });

  it("ends what it began, so that styles nest", () => {
    const { bold, red } = createStyle(true);
    expect(bold(`a ${red("b")} c`)).toBe("\u001b[1ma \u001b[31mb\u001b[39m c\u001b[22m");
  });
});
