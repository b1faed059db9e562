import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { headingIn } from "./request-words.ts";
import { sampleAsked } from "./testing/sample-request.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/;

describe("who wants what, on a page", () => {
  it("writes out what a screen would hide, and says how much it leaves out", () => {
    const heading = (command: string) => headingIn(sampleAsked({ input: { command } })).heading;
    expect(heading(`ls${" ".repeat(300)}; rm -rf ~`)).toBe("Claude Code in shop wants to run ls ⟨300 spaces⟩ ; rm -rf ~");
    expect(heading("ls \u202egnp.exe")).toContain("⟨U+202E right-to-left override⟩gnp.exe");
    expect(heading("echo hello\nrm -rf ~")).toBe("Claude Code in shop wants to run echo hello ⏎ rm -rf ~");
    expect(heading(`echo ${"x".repeat(1200)}`)).toMatch(/x… \(1,045 more characters\)$/);
  });

  it("is one line without anything that acts on a screen, whatever an agent says", () => {
    const hostile = fc.oneof(fc.string({ unit: "binary", maxLength: 60 }), fc.constant("\u001b[2J\r\u202e\n\u0000\u200b"));
    fc.assert(
      fc.property(hostile, hostile, hostile, (one, two, three) => {
        const asked = {
          agent: one,
          title: two,
          input: { command: three },
          facts: { workspace: { cwd: two } },
          said: [{ name: one, text: three }],
        };
        for (const kind of ["permission", "confirmation", "clarification", "handoff"] as const) {
          expect(headingIn(sampleAsked({ ...asked, kind })).heading).not.toMatch(UNSEEN);
        }
      }),
    );
  });
});
