import { terminalWording } from "@earshot/terminal/narration-lines";
import { createStyle } from "@earshot/terminal/style";
import { describe, expect, it } from "vitest";
import { linesOfItem, SAMPLES_NOW_MS, sampleAlert, sampleSession } from "../../../terminal/src/testing/samples.ts";
import { alertSaying, costSaying, highlight, hitSaying, nodeSaying, totalLine } from "./list-lines.ts";

const TELLING = { now: SAMPLES_NOW_MS, wording: terminalWording("en") };

describe("alerts, matches, costs and trees", () => {
  it("tells what an alert saw", () => {
    expect(linesOfItem(alertSaying(sampleAlert({ rule: "aop/x" }), SAMPLES_NOW_MS))).toEqual([
      "Loop, warning, 1 minute ago: bash was called 5 times with the same input and gave nothing new. Rule: aop/x. Agent: Helper. Session: sess_1, AOP.",
    ]);
  });

  const hit = {
    position: 7,
    session: 1,
    sessionId: "sess_1",
    protocol: "aop",
    agent: "helper",
    type: "cognition.thought",
    receivedAt: SAMPLES_NOW_MS - 60_000,
    field: "thought",
    snippet: "…then roll\nback the release",
    marks: [[6, 15]],
  } as const;

  it("tells where a match was said", () => {
    expect(linesOfItem(hitSaying(hit, SAMPLES_NOW_MS))).toEqual([
      "Thought, Helper, 1 minute ago: …then roll back the release. Session: sess_1, AOP.",
    ]);
    expect(linesOfItem(hitSaying({ ...hit, field: "other" }, SAMPLES_NOW_MS))[0]).toMatch(/^In cognition\.thought, /);
  });

  it("sets apart what was found, where colours are", () => {
    const marks = [[0, 4], [5, 9]] as const; // biome-ignore format: pairs
    const found = { ...hit, snippet: "back bac(", marks };
    expect(highlight(["back bac( x"], found, createStyle(true))).toEqual(["\u001b[1mback\u001b[22m \u001b[1mbac(\u001b[22m x"]);
    expect(highlight(["back bac( x"], found, createStyle(false))).toEqual(["back bac( x"]);
    expect(highlight(["x"], { ...found, marks: [] }, createStyle(true))).toEqual(["x"]);
  });

  it("adds nothing to costs that nobody supplied", () => {
    const line = { name: "opus", costUsd: 0.5, tokens: { total: 12 }, events: 4 };
    expect(linesOfItem(costSaying(line, "model"))).toEqual(["opus: 0.50 US dollars, 12 tokens, from 4 events"]);
    expect(linesOfItem(costSaying({ name: "", events: 1, session: 12 }, "model"))).toEqual(["No model named: from 1 event. Key: 12."]);
    expect(totalLine({ lines: [line], total: line, more: false }, "model")).toBe(
      "In all 0.50 US dollars, 12 tokens, from 4 events. By model, most expensive first:",
    );
    expect(totalLine({ lines: [line], total: { events: 4 }, more: false }, "day")).toBe("By day, newest first:");
    expect(totalLine({ lines: [], total: { events: 0 }, more: false }, "day")).toBe("No costs were reported.");
  });

  it("says the level of a session in its tree, and how its parent is known", () => {
    const root = { ...sampleSession({ key: 1, id: "root", goal: "All of it." }), depth: 0 };
    const parent = { id: "root", key: 1, relation: "subagent", inferred: true, because: "it was named by operation.agent_spawn" } as const;
    const child = { ...sampleSession({ key: 2, id: "child", status: "failed", parent }), depth: 1 };
    expect(linesOfItem(nodeSaying(root, child, TELLING))[0]).toMatch(/^Root, running, Release helper: All of it\. /);
    expect(linesOfItem(nodeSaying(child, child, TELLING))).toEqual([
      "Level 1, failed, Release helper, the session asked for. Heard 12 seconds ago, 4 minutes 12 seconds long. Parent: root. Session: child, AOP. Its parent is inferred: it was named by operation.agent_spawn.",
    ]);
  });
});
