import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aaepSession, aopTraceEvents, gardenDay, traceOf } from "../testing/recording.ts";
import { isWellFormed } from "../testing/well-formed.ts";
import { renderSvg } from "./svg.ts";

describe("the SVG", () => {
  it("carries its words: a title and a description with every sentence", async () => {
    const svg = renderSvg(await traceOf(gardenDay()));
    expect(svg).toMatch(/role="img" aria-labelledby="trace-title trace-desc"/);
    expect(svg).toContain('<title id="trace-title">Trace of garden.jsonl</title>');
    const [, words = ""] = /<desc id="trace-desc">([^<]*)<\/desc>/.exec(svg) ?? [];
    expect(words.split("\n")).toContain("3 tool calls, up to 2 at once, 1 failed.");
    expect(words.split("\n")).toContain("Confirmation “Cut down the old tree.”: answered accept after 4 seconds.");
  });

  it("draws overlapping tools in rows, and gives a failure a sign of its own", async () => {
    const svg = renderSvg(await traceOf(gardenDay()));
    const bars = [...svg.matchAll(/<title>Tool (\w+)[^<]*<\/title><rect class="box" x="([\d.]+)" y="([\d.]+)"/g)].map(([, tool, , y]) => [
      tool,
      y,
    ]);
    const rowOf = (tool: string) => bars.find(([name]) => name === tool)?.[1];
    expect(bars).toHaveLength(3);
    expect(rowOf("look")).not.toBe(rowOf("measure"));
    expect(rowOf("look")).toBe(rowOf("saw"));
    expect(svg).toMatch(/Tool measure failed[^<]*<\/title><rect[^>]*\/><path class="glyph"/);
  });

  it("has a pattern for every colour that means something, and only needs what is in it", async () => {
    const svg = renderSvg(await traceOf(gardenDay()));
    const used = new Set([...svg.matchAll(/url\(#([\w-]+)\)/g)].map(([, id]) => id));
    for (const id of used) expect(svg).toContain(`<pattern id="${id}"`);
    expect(svg).not.toMatch(/(?:href|src)=|@import|<script|<foreignObject/);
    expect(svg).toContain("@media print");
    expect(svg).toContain("prefers-color-scheme: dark");
  });

  it("puts heights in place of bars when there are many, and does not grow with the recording", async () => {
    const recording = (calls: number) => {
      const say = aaepSession();
      const events = Array.from({ length: calls }, (_none, index) => [
        say("tool.invoked", { tool: "dig", tool_call_id: `call_${index}` }),
        say("tool.completed", {
          tool: "dig",
          tool_call_id: `call_${index}`,
          status: index % 50 === 0 ? "error" : "success",
          error_message: "stone",
        }),
      ]).flat();
      return traceOf([say("session.started"), ...events, say("session.completed")]);
    };
    const [some, many] = [renderSvg(await recording(700)), renderSvg(await recording(7000))];
    expect(many).toContain("share of time");
    expect(many).not.toContain("<title>Tool dig");
    expect(many.length).toBeLessThan(some.length * 1.5 + 20_000);
    expect(many.length).toBeLessThan(120_000);
  });

  it("is well-formed whatever happens in which order", async () => {
    const kinds = [
      "session.started",
      "session.ended",
      "cognition.thought",
      "operation.tool_start",
      "operation.tool_end",
      "operation.agent_spawn",
      "odd",
    ];
    const step = fc.record({
      kind: fc.constantFrom(...kinds),
      session: fc.integer({ min: 0, max: 3 }),
      after: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 9 }), fc.constant(90_000)),
      call: fc.integer({ min: 0, max: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60 }), async (steps) => {
        const sessions = [0, 1, 2, 3].map((index) =>
          aopTraceEvents(`s${index}`, `agent ${index}`, index === 0 ? undefined : `s${index - 1}`),
        );
        let at = 0;
        const events = steps.map(({ kind, session, after, call }) => {
          at += after;
          const say = sessions[session] ?? aopTraceEvents("s", "a");
          return say(at, kind, {
            tool_name: "dig",
            tool_call_id: `c${call}`,
            child_session_id: `s${(session + 1) % 4}`,
            content: "x",
            success: call > 0,
          });
        });
        const svg = renderSvg(await traceOf(events));
        expect(isWellFormed(svg)).toBe(true);
        expect(svg).not.toMatch(/NaN|Infinity|undefined/);
        for (const [, x] of svg.matchAll(/ x="(-?[\d.]+)"/g)) expect(Number(x)).toBeGreaterThanOrEqual(0);
        for (const [, width] of svg.matchAll(/ width="(-?[\d.]+)"/g)) expect(Number(width)).toBeGreaterThan(0);
      }),
      { numRuns: 60 },
    );
  });
});
