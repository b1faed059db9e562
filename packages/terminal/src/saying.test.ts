import { describe, expect, it } from "vitest";
import { layOutItem, type OutputItem } from "./saying.ts";
import { createStyle } from "./style.ts";
import { PIPE } from "./testing/samples.ts";

const lines = (saying: OutputItem, layout = PIPE) => layOutItem(saying, 7, layout);

describe("a saying", () => {
  it("is one line while it is short, with its position last", () => {
    expect(lines({ what: "Turn ended" })).toEqual(["Turn ended  #7"]);
    expect(lines({ what: "Thought", remarks: ["low confidence"], words: "Hm." })).toEqual(["Thought, low confidence: Hm.  #7"]);
    expect(
      lines({ what: "Call bash failed", parts: [{ label: "Input", text: "npm test" }, { label: "Error", text: "What?" }] }), // biome-ignore format: one line each
    ).toEqual(["Call bash failed. Input: npm test. Error: What?  #7"]);
  });

  it("joins lines of a part so that they are heard apart", () => {
    expect(lines({ what: "Call x failed", parts: [{ label: "Error", text: "3 failed\n  a.ts" }] })).toEqual([
      "Call x failed. Error: 3 failed; a.ts.  #7",
    ]);
  });

  it("announces how many lines the agent's own words take", () => {
    expect(lines({ what: "Response", words: "One.\n\nEnded, completed: all is well." })).toEqual([
      "Response, 2 lines:  #7",
      "    One.",
      "    Ended, completed: all is well.",
    ]);
    expect(lines({ what: "Thought", words: "One.\nTwo.", parts: [{ label: "Next", text: "Three." }] })).toEqual([
      "Thought, 2 lines:  #7",
      "    One.",
      "    Two.",
      "  Next: Three.",
    ]);
    expect(lines({ what: "Error", below: [{ label: "Data", text: "a\nb" }] })).toEqual(["Error  #7", "  Data, 2 lines:", "    a", "    b"]);
  });

  it("cuts what is long and says how much is missing, unless all is asked for", () => {
    const saying = { what: "Call x succeeded", parts: [{ label: "Result", text: `${"y".repeat(200)}\nz` }] };
    expect(lines(saying)).toEqual([`Call x succeeded. Result: ${"y".repeat(160)} … 42 more characters.  #7`]);
    expect(lines(saying, { ...PIPE, full: true })).toEqual([
      "Call x succeeded  #7",
      "  Result, 2 lines:",
      `    ${"y".repeat(200)}`,
      "    z",
    ]);
    const long = lines({ what: "Output", words: Array.from({ length: 20 }, (_, index) => `line ${index}`).join("\n") });
    expect(long).toHaveLength(14);
    expect(long.at(-1)).toBe("    … 56 more characters");
  });

  it("lets nothing act on the terminal, wherever it stands", () => {
    const nasty = "a\u001b[2J\nb";
    const said = lines({
      what: `Call ${nasty}`,
      remarks: [nasty],
      words: nasty,
      parts: [{ label: nasty, text: nasty }],
      below: [{ label: nasty, text: nasty }],
    });
    expect(said.join("")).not.toMatch(/\p{Cc}/u);
    expect(said[0]).toMatch(/^Call a\\u\{1b\}\[2J\\nb, a\\u/);
  });

  it("wraps for who looks, and sets apart in colour only what the words say", () => {
    const narrow = { ...PIPE, width: 40 };
    expect(lines({ what: "Thought", words: "one two three four five six seven eight" }, narrow)).toEqual([
      "Thought: one two three four five six",
      "    seven eight  #7",
    ]);
    const coloured = { ...PIPE, style: createStyle(true) };
    expect(lines({ what: "Error", tone: "bad", words: "No." }, coloured)).toEqual(["\u001b[31mError\u001b[39m: No.  #7"]);
    expect(lines({ what: "Prompt", tone: "heading", words: "Go." }, coloured)).toEqual(["\u001b[1mPrompt: Go.  #7\u001b[22m"]);
    const below = { what: "x", below: [{ label: "Alert", text: "Loop.", tone: "warning" as const }] };
    expect(lines(below, coloured)[1]).toBe("\u001b[33m  Alert\u001b[39m: Loop.");
  });
});
