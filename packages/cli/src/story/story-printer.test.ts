import { terminalWording } from "@earshot/terminal/narration-lines";
import { describe, expect, it } from "vitest";
import { PIPE, SAMPLES_NOW_MS, sampleActivityOf, sampleAlert, sampleItem } from "../../../terminal/src/testing/samples.ts";
import { StoryPrinter } from "./story-printer.ts";

const at = (seconds: number) => ({ at: new Date(SAMPLES_NOW_MS + seconds * 1000).toISOString() });
const thought = (text: string, seconds: number, base = {}) => sampleActivityOf("thought", { text }, { ...at(seconds), ...base });
const beat = (status: string, seconds: number) => sampleActivityOf("heartbeat", { status }, at(seconds));

function tell(items: readonly Parameters<StoryPrinter["print"]>[0][], layout = PIPE): readonly string[] {
  const teller = new StoryPrinter(layout, { now: SAMPLES_NOW_MS, agent: "helper", model: "opus", wording: terminalWording("en") });
  return [...items.flatMap((one) => teller.print(one)), ...teller.finish()];
}

describe("a story", () => {
  it("says when it begins, and pauses that are worth it", () => {
    expect(
      tell([sampleItem(thought("a", 0)), sampleItem(thought("b", 59)), sampleItem(thought("c", 250)), sampleItem(thought("d", 90_000))]),
    ).toEqual([
      "At 14:02:11:",
      "Thought: a  #7",
      "Thought: b  #7",
      "3 minutes 11 seconds later, at 14:06:21:",
      "Thought: c  #7",
      "1 day 1 hour later, on 16 November 2026 at 15:02:11:",
      "Thought: d  #7",
    ]);
  });

  it("goes by the hub's clock where the agent's says nothing", () => {
    const silent = sampleItem(sampleActivityOf("thought", { text: "a" }, { at: "yesterday" }), { receivedAt: SAMPLES_NOW_MS });
    expect(tell([silent])[0]).toBe("At 14:02:11:");
  });

  it("says which state was left only where that was not told before", () => {
    const state = (from: string, to: string) => sampleItem(sampleActivityOf("state", { from, to }, at(0)));
    expect(tell([state("idle", "thinking"), state("thinking", "idle"), state("waiting", "idle")]).slice(1)).toEqual([
      "State thinking. Previous state: idle.  #7",
      "State idle  #7",
      "State idle. Previous state: waiting.  #7",
    ]);
  });

  it("begins on the day it began", () => {
    expect(tell([sampleItem(thought("a", -90_000))])[0]).toBe("On 14 November 2026 at 13:02:11:");
  });

  it("has a heading for each prompt", () => {
    expect(tell([sampleItem(thought("a", 0)), sampleItem(sampleActivityOf("prompt", { text: "Go on." }, at(1)))])).toEqual([
      "At 14:02:11:",
      "Thought: a  #7",
      "",
      "Prompt, 14:02:12: Go on.  #7",
    ]);
  });

  it("names who speaks, the model and the folder when they change", () => {
    const items = [
      sampleItem(thought("a", 0, { model: "opus" })),
      sampleItem(thought("b", 1, { agent: "checker", agentName: "The checker", model: "haiku", workspace: "/p" })),
      sampleItem(thought("c", 2, { agent: "checker", model: "haiku", workspace: "/p" })),
      sampleItem(thought("d", 3)),
      sampleItem(sampleActivityOf("request.answered", { answer: "accept" }, { agent: "", ...at(4) })),
      sampleItem(thought("e", 5)),
    ];
    expect(tell(items)).toEqual([
      "At 14:02:11:",
      "Thought: a  #7",
      "Agent: Checker, which calls itself The checker",
      "Model: haiku",
      "Workspace: /p",
      "Thought: b  #7",
      "Thought: c  #7",
      "Agent: Helper",
      "Thought: d  #7",
      "Allowed  #7",
      "Thought: e  #7",
    ]);
  });

  it("counts heartbeats that say the same, unless everything is asked for", () => {
    const items = [
      sampleItem(beat("running", 0)),
      sampleItem(beat("running", 30)),
      sampleItem(beat("idle", 60)),
      sampleItem(thought("a", 61)),
    ];
    expect(tell(items)).toEqual([
      "At 14:02:41:",
      "Heartbeat, 2 times, since 14:02:11: running  #7",
      "Heartbeat: idle  #7",
      "Thought: a  #7",
    ]);
    expect(tell(items, { ...PIPE, full: true }).filter((line) => line.startsWith("Heartbeat"))).toHaveLength(3);
  });

  it("never counts away a heartbeat at which something was noticed", () => {
    const items = [
      sampleItem(beat("running", 0)),
      sampleItem(beat("running", 30), { alerts: [sampleAlert()] }),
      sampleItem(beat("running", 60)),
    ];
    expect(tell(items).filter((line) => line.startsWith("Heartbeat"))).toHaveLength(3);
  });

  it("says nothing about a later part of something, when only a note was made on it", () => {
    const flags = [{ severity: "info", code: "EVENT_INVALID", rule: "aop/x", message: "An alias." }] as const;
    const part = sampleItem(sampleActivityOf("tool.ended", { tool: "bash", outcome: "succeeded" }, at(0)), { continues: 3, flags });
    expect(tell([part])).toEqual([]);
    expect(tell([part], { ...PIPE, full: true })).toContain("More about #3: Call bash, done  #7");
  });

  it("lets no name act on the terminal", () => {
    const nasty = "\u001b[2J\n";
    const lines = tell([sampleItem(thought(nasty, 0, { agent: nasty, agentName: nasty, model: nasty, workspace: nasty }))]);
    expect(lines.join("")).not.toMatch(/\p{Cc}/u);
  });
});
