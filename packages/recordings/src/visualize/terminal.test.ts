import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { renderList, renderPicture } from "./terminal.ts";
import { aaepSession, gardenDay, traceOf } from "./testing/recording.ts";

const PLAIN = { width: 80, colour: false };

describe("on a terminal", () => {
  it("lanes are letters in eighty columns, and time runs below them", async () => {
    const lines = renderPicture(await traceOf(gardenDay()), PLAIN).split("\n");
    expect(lines.every((line) => line.length <= 80)).toBe(true);
    const lane = (name: string) => lines.find((line) => line.startsWith(name))?.slice(11) ?? "";
    expect(lane("State  ")).toMatch(/^\.+c+w+c+o+$/);
    expect(lane("Tools  ").replaceAll(/(.)\1*/g, "$1")).toBe(" 121 1");
    expect(lane("Requests  ")).toMatch(/^ +\?+Y$/);
    expect(lane("Output  ")).toMatch(/^ +=+$/);
    expect(lane("Time")).toMatch(/^0 s +10 s +20 s$/);
  });

  it("a broken rule has its letter at its event, and its number below", async () => {
    const say = aaepSession();
    const trace = await traceOf([
      say("session.started", {}, 0),
      say("tool.completed", { tool: "dig", tool_call_id: "call_1", status: "success" }, 50),
      say("session.completed", {}, 100),
    ]);
    const lines = renderPicture(trace, PLAIN).split("\n");
    const rules = lines.find((line) => line.startsWith("Rules  ")) ?? "";
    const { number } = trace.violations.find(({ rule }) => rule === "aaep/tool-completed-needs-invoked") ?? {};
    expect(rules.indexOf("E")).toBe(11 + Math.floor(0.5 * 69));
    expect(lines[lines.indexOf(rules) + 1]?.slice(rules.indexOf("E"))).toMatch(new RegExp(`^${number}`));
    expect(lines.some((line) => line.startsWith(`Error ${number} at line 2, agent.tool.completed`))).toBe(true);
  });

  it("colour only repeats what letters say", async () => {
    const trace = await traceOf(gardenDay());
    expect(stripVTControlCharacters(renderPicture(trace, { width: 80, colour: true }))).toBe(renderPicture(trace, PLAIN));
  });
});

describe("in a pipe", () => {
  it("it is a list of sentences, one per line, without lanes or escapes", async () => {
    const text = renderList(await traceOf(gardenDay()), { width: 0, colour: false });
    const lines = text.trimEnd().split("\n");
    expect(lines[0]).toBe("Trace of garden.jsonl");
    expect(
      lines
        .filter((line) => line !== "")
        .slice(1)
        .filter((line) => !/[.”]$/.test(line)),
    ).toEqual(["Agent gardener, session sess_0001, AAEP"]);
    expect(text).toBe(stripVTControlCharacters(text));
    expect(text).not.toContain("|--");
  });
});
