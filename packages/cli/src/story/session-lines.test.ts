import { terminalWording } from "@earshot/terminal/narration-lines";
import { describe, expect, it } from "vitest";
import { SESSION_STATUSES, type SessionStatus } from "../../../hub/src/views/api.ts";
import { linesOfItem, SAMPLES_NOW_MS, sampleSession } from "../../../terminal/src/testing/samples.ts";
import { headSaying, sessionSaying, statusesLine } from "./session-lines.ts";

const TELLING = { now: SAMPLES_NOW_MS, wording: terminalWording("en") };
const GERMAN = { now: SAMPLES_NOW_MS, wording: terminalWording("de-AT") };

describe("a session", () => {
  it("is one line: how it stands, who, what for, what needs a look, how to name it", () => {
    const one = sampleSession({
      goal: "Roll back the last release.",
      status: "waiting",
      counts: { events: 40, calls: 14, failedCalls: 1, errors: 2, prompts: 3, openRequests: 1, alerts: 1, flags: 5 },
      costUsd: 0.12,
      tokens: { total: 1540 },
      lastSummary: "Asks whether to go on.",
      marks: ["started-late", "gap"],
      parent: { id: "sess_parent", relation: "subagent", inferred: false, because: "it said so" },
    });
    expect(linesOfItem(sessionSaying(one, TELLING))).toEqual([
      "Waiting for you, Release helper: Roll back the last release. 1 question open, 14 calls, 1 failed, 2 errors, 1 alert, 5 findings. Heard 12 seconds ago, 4 minutes 12 seconds long. 0.12 US dollars, 1,540 tokens. Last: Asks whether to go on. Odd: its start arrived late, some of its events never arrived. Parent: sess_parent. Session: sess_7c1e90b2a4, AOP.",
    ]);
    expect(linesOfItem(sessionSaying(sampleSession(), TELLING))).toEqual([
      "Running, Release helper. Heard 12 seconds ago, 4 minutes 12 seconds long. Session: sess_7c1e90b2a4, AOP.",
    ]);
  });

  it.each(SESSION_STATUSES)("has a word for %s", (status: SessionStatus) => {
    expect(linesOfItem(sessionSaying(sampleSession({ status }), TELLING))[0]).toMatch(/^[A-Z][a-z ]+, Release helper/);
  });

  it("is counted with the others, what needs a look first", () => {
    const several = [sampleSession({ status: "failed" }), sampleSession({ status: "running" }), sampleSession({ status: "failed" })];
    expect(statusesLine(several, TELLING.wording)).toBe("3 sessions, most recent first: 1 running, 2 failed.");
    expect(statusesLine([sampleSession({ status: "waiting" })], TELLING.wording)).toBe("1 session: 1 waiting for you.");
  });
});

describe("a session in German", () => {
  const one = sampleSession({
    goal: "Roll back the last release.",
    status: "waiting",
    counts: { events: 40, calls: 14, failedCalls: 1, errors: 2, prompts: 3, openRequests: 1, alerts: 1, flags: 5 },
    costUsd: 0.12,
    tokens: { total: 1540 },
    children: 2,
    marks: ["gap"],
    parent: { id: "sess_parent", relation: "subagent", inferred: true, because: "operation.agent_spawn" },
  });

  it("says the same in one line and in the head, with the agent's own words alone in English", () => {
    expect(linesOfItem(sessionSaying(one, GERMAN))).toEqual([
      "Wartet auf dich, Release helper: Roll back the last release. 1 offene Frage, 14 Aufrufe, 1 gescheitert, 2 Fehler, 1 Warnung, 5 Befunde. Gehört vor 12 Sekunden, Dauer 4 Minuten 12 Sekunden. 0,12 US-Dollar, 1.540 Tokens. Auffällig: etwas Gesagtes kam nie an. Übergeordnet: sess_parent. Sitzung: sess_7c1e90b2a4, AOP.",
    ]);
    const rule = { rule: "aop/b", severity: "warning", count: 2, firstPosition: 9, lastPosition: 20 } as const;
    expect(linesOfItem(headSaying(one, { grade: "C", events: 40, rules: [rule] }, GERMAN))).toEqual([
      "Wartet auf dich, Release helper, AOP-Sitzung sess_7c1e90b2a4",
      "  Ziel: Roll back the last release.",
      "  Zeit: gehört vor 12 Sekunden; Beginn 13:57:47; Dauer 4 Minuten 12 Sekunden",
      "  Getan: 40 Ereignisse, 3 Aufträge, 1 offene Frage, 14 Aufrufe, 1 gescheitert, 2 Fehler, 1 Warnung, 5 Befunde",
      "  Verbraucht: 0,12 US-Dollar, 1.540 Tokens",
      "  Übergeordnet: sess_parent, hat diese als Unteragenten gestartet, erschlossen: operation.agent_spawn",
      "  Untergeordnet: 2; --tree zeigt sie",
      "  Auffällig: etwas Gesagtes kam nie an",
      "  Quelle: local, ungeprüft, Schlüssel 12",
      "  Regeln: Note C, Warnungen; earshot check explain REGEL sagt, was zu tun ist",
      "  Regel, Warnung: aop/b, 2-mal, zuerst bei #9",
    ]);
    expect(statusesLine([one], GERMAN.wording)).toBe("1 Sitzung: 1 wartet auf dich.");
  });
});

describe("the head of a story", () => {
  it("says what there is to know, and nothing that nobody said", () => {
    expect(linesOfItem(headSaying(sampleSession(), undefined, TELLING))).toEqual([
      "Running, Release helper, AOP session sess_7c1e90b2a4",
      "  Time: heard 12 seconds ago; began 13:57:47; 4 minutes 12 seconds long",
      "  Did: 14 events",
      "  Source: local, not verified, key 12",
    ]);
  });

  it("says everything that somebody said", () => {
    const one = sampleSession({
      status: "failed",
      goal: "Roll back.",
      endedAt: SAMPLES_NOW_MS - 5000,
      model: "opus",
      workspace: "/project",
      agents: ["release-helper", "checker"],
      parent: { id: "sess_p", relation: "subagent", inferred: true, because: "operation.agent_spawn named it" },
      children: 2,
      costUsd: 1.5,
      tokens: { input: 10, output: 5 },
      marks: ["spoke-after-end"],
      lastSummary: "No space.",
      verified: true,
      counts: { events: 40, calls: 2, failedCalls: 1, errors: 0, prompts: 1, openRequests: 0, alerts: 0, flags: 4 },
    });
    const rule = (name: string, severity: "error" | "warning" | "info", count: number) => ({
      rule: name,
      severity,
      count,
      firstPosition: 9,
      lastPosition: 20,
    });
    const grade = {
      grade: "D",
      events: 40,
      rules: [rule("aop/a", "info", 1), rule("aop/b", "warning", 2), rule("aop/c", "error", 1), rule("aop/d", "error", 2)],
    } as const;
    expect(linesOfItem(headSaying(one, grade, TELLING))).toEqual([
      "Failed, Release helper, AOP session sess_7c1e90b2a4",
      "  Goal: Roll back.",
      "  Time: ended 5 seconds ago; began 13:57:47; 4 minutes 12 seconds long",
      "  Did: 40 events, 1 prompt, 2 calls, 1 failed, 4 findings",
      "  Spent: 1.50 US dollars, tokens 10 in, 5 out",
      "  Last said: No space.",
      "  Model: opus",
      "  Workspace: /project",
      "  Other agents: Checker",
      "  Parent: sess_p, which started this one as a subagent, inferred: operation.agent_spawn named it",
      "  Children: 2; --tree shows them",
      "  Odd: sent events after its end",
      "  Source: local, verified, key 12",
      "  Rules: grade D, errors; earshot check explain RULE tells what to do",
      "  Rule, error: aop/d, 2 times, first at #9",
      "  Rule, error: aop/c, once, at #9",
      "  Rule, warning: aop/b, 2 times, first at #9",
      "  Rule, note: aop/a, once, at #9",
    ]);
    const many = { ...grade, rules: Array.from({ length: 7 }, (_, index) => rule(`aop/${index}`, "warning", 1)) };
    expect(linesOfItem(headSaying(one, many, TELLING)).at(-1)).toBe("  Rules: 2 more; --json lists them all");
  });
});
