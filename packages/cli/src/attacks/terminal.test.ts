import { describe, expect, it } from "vitest";
import { escapeUnseen } from "../terminal/escape-unseen.ts";

const OBEYED = ["\u009b2J", "\u009d0;title\u009c", "\u202egpj.exe", "\u2066x\u2069", "\u061c", "\u007f"];

describe("held: an event is printed as JSON at a terminal", () => {
  it("with C1 controls and bidirectional overrides in it, which JSON leaves as they are: they are escaped, and mean the same", () => {
    const text = JSON.stringify(OBEYED);
    const shown = escapeUnseen(text);
    expect(text).toMatch(/[\u007f-\u009f\u202e\u2066]/);
    expect(shown).toMatch(/^[\x20-\x7e]+$/);
    expect(JSON.parse(shown)).toEqual(OBEYED);
  });
});
