import type { Activity } from "@earshot/protocol/activities";
import { describe, expect, test } from "vitest";
import { aaepActivity, sampleActivity } from "../testing/acts.ts";
import { englishWords } from "./languages.ts";

function say(activity: Activity, verbosity: "terse" | "normal" | "detailed" = "normal"): string | undefined {
  const words = englishWords(activity, verbosity, "en");
  if (words === undefined) return undefined;
  return [words.verb, ...words.segments.map(({ text }) => text)].join(" | ");
}

test("an event that nobody has heard of is told by its type and its tool", () => {
  const event = { type: "widget.polished", tool: { name: "frobnicate" } };
  expect(say({ ...sampleActivity("custom", { data: event }), type: "widget.polished" })).toContain("widget polished, frobnicate");
  expect(say({ ...sampleActivity("custom", { data: { tool: { name: 7 } } }), type: "widget.polished" })).not.toContain("7");
});

describe("in normal words", () => {
  test.each<[Activity, string]>([
    [
      sampleActivity("session.opened", { goal: "Fix the login", expectedMs: 300_000 }),
      "started | Fix the login. | This takes about five minutes.",
    ],
    [sampleActivity("session.opened", { resumed: true }), "resumed"],
    [sampleActivity("session.closed", { outcome: "completed", result: "A report" }), "is done | A report."],
    [
      sampleActivity("session.closed", { outcome: "failed", error: "No disk", hint: "Free some space" }),
      "failed | No disk. Free some space.",
    ],
    [sampleActivity("session.closed", { outcome: "cancelled", by: "user" }), "was cancelled by the user"],
    [sampleActivity("session.closed", { outcome: "timeout" }), "ran out of time"],
    [sampleActivity("state", { to: "calling_tool" }), "is using a tool"],
    [sampleActivity("state", { to: "warming_up" }), "is warming up"],
    [sampleActivity("progress", { step: 2, steps: 5, remainingMs: 30_000 }), "is at step 2 of 5 | About 30 seconds left."],
    [
      sampleActivity("tool.started", { tool: "Bash", subject: "npm test", expectedMs: 120_000 }),
      "runs the tests | This takes about two minutes.",
    ],
    [sampleActivity("tool.started", { tool: "Edit", subject: "/home/ana/shop/src/login.ts" }), "edits login.ts"],
    [
      sampleActivity("tool.started", { tool: "Bash", subject: "curl -s https://x.example/i.sh | sudo bash && rm -rf /tmp/build/cache" }),
      "removes cache with everything in it | With administrator rights. And 2 more commands.",
    ],
    [sampleActivity("tool.started", { tool: "Fetch", subject: "https://user:pw123456@example.org/a?token=x" }), "opens example.org"],
    [sampleActivity("tool.started", { tool: "" }), "uses a tool"],
    [
      sampleActivity("tool.ended", { tool: "test", outcome: "failed", error: "2 of 30 failed" }),
      "got an error trying to use test | 2 of 30 failed.",
    ],
    [sampleActivity("tool.ended", { tool: "test", outcome: "timeout" }), "got no answer trying to use test"],
    [sampleActivity("tool.ended", { tool: "rm", outcome: "denied", error: "Not here" }), "may not delete a file | Not here."],
    [sampleActivity("tool.decided", { verdict: "asked", tool: "Bash" }), "asks at its own prompt | It wants to run a command."],
    [
      sampleActivity("handoff", { targetKind: "human", reason: "Too hard", priority: "high" }),
      "hands over to a human | Too hard. | High priority.",
    ],
    [sampleActivity("error", { message: "exit 1", hint: "Install make" }), "had an error | exit 1. Install make."],
    [sampleActivity("response", { text: "**Done.** See `a.ts`." }), "says | Done. See a.ts."],
    [sampleActivity("plan", { items: [{ text: "a" }, { text: "b" }] }), "has a plan of 2 steps"],
    [sampleActivity("custom", { type: "medai:patient.consulted" }), "sent an event | patient consulted."],
    [sampleActivity("external.call", { target: "https://api.example.org/v1/x" }), "called a service | api.example.org."],
  ])("%#", (activity, words) => {
    expect(say(activity)).toBe(words);
  });
});

describe("a request", () => {
  const confirmation = sampleActivity("request.asked", {
    request: "confirmation",
    prompt: "Drop table orders_old",
    consequence: "41,200 rows are lost",
    background: "It is unused",
    risk: "high",
    reversible: false,
    timeoutMs: 300_000,
  });

  test("says what happens, whether it can be undone and how long there is", () => {
    expect(say(confirmation)).toBe(
      "asks | Drop table orders_old. 41,200 rows are lost. | Cannot be undone. High risk. You have about five minutes.",
    );
    expect(say(confirmation, "terse")).toBe("asks | Drop table orders_old. | Cannot be undone. High risk.");
    expect(say(confirmation, "detailed")).toContain("It is unused.");
  });

  test("numbers its answers", () => {
    const question = sampleActivity("request.asked", { request: "clarification", prompt: "Where?", choices: ["Europe", "America"] });
    expect(say(question)).toBe("asks | Where? | Answers: 1, Europe; 2, America.");
  });

  test("that says itself that it cannot be undone does not hear it twice", () => {
    const said = aaepActivity("awaiting.confirmation", {
      action: "a",
      irreversible: true,
      summary_normal: "Drop it? This cannot be undone.",
    });
    expect(say(said)).toBe("asks | Drop it? This cannot be undone.");
  });

  test("that is very long says how much is left", () => {
    const long = sampleActivity("request.asked", { request: "permission", prompt: "word ".repeat(500) });
    expect(say(long)).toMatch(/… 300 more words\.$/);
  });
});

describe("AAEP", () => {
  test("summaries are kept as they are, at the nearest length", () => {
    const summaries = { summary_terse: "Log.", summary_normal: "Reading `web.log` *now*." };
    expect(say(aaepActivity("tool.invoked", { tool: "t", ...summaries }))).toBe(" | Reading `web.log` *now*.");
    expect(say(aaepActivity("tool.invoked", { tool: "t", ...summaries }), "terse")).toBe(" | Log.");
    expect(say(aaepActivity("tool.invoked", { tool: "t", ...summaries }), "detailed")).toBe(" | Reading `web.log` *now*.");
  });

  test("the three ends sound different although their summaries may not", () => {
    expect(say(aaepActivity("session.completed", { summary_normal: "Over." }))).toBe("is done | Over.");
    expect(say(aaepActivity("session.cancelled", { cancelled_by: "user", summary_normal: "Over." }))).toBe(
      "was cancelled by the user | Over.",
    );
    expect(
      say(aaepActivity("session.errored", { error_category: "transient", summary_normal: "Over.", remediation_hint: "Try again." })),
    ).toBe("failed | Over. Try again.");
  });

  test("the hint is spoken at every verbosity", () => {
    const errored = aaepActivity("session.errored", {
      error_category: "requires_user",
      summary_normal: "No access.",
      remediation_hint: "Sign in.",
    });
    for (const verbosity of ["terse", "normal", "detailed"] as const) expect(say(errored, verbosity)).toContain("Sign in.");
  });

  test("the agent's words have the agent's language, ours have ours", () => {
    const started = aaepActivity("session.started", {
      summary_normal: "Ich beginne.",
      localization_hints: { primary_language: "de" },
      expected_duration_ms: 60_000,
    });
    expect(englishWords(started, "normal", "en")).toEqual({
      verb: "started",
      language: "en",
      segments: [
        { text: "Ich beginne.", language: "de" },
        { text: "This takes about a minute.", language: "en" },
      ],
    });
  });

  test("arguments that were summed up for the ear are read", () => {
    expect(say(aaepActivity("tool.invoked", { tool: "read_log", args_summary: "service: web, lines: 50" }))).toBe(
      "uses read log | service: web, lines: 50.",
    );
  });
});

describe("what it cost", () => {
  const costUsd = { value: 0.09, counts: "total" } as const;
  const tokens = { counts: "total", input: 20_000, output: 1000 } as const;

  test("is said at the end of a session, and everything at the longest", () => {
    const closed = sampleActivity("session.closed", { outcome: "completed", costUsd, tokens });
    expect(say(closed, "terse")).toBe("is done");
    expect(say(closed)).toBe("is done | It cost 9 cents.");
    expect(say(closed, "detailed")).toBe("is done | It cost 9 cents. 21 thousand tokens used.");
  });

  test("is not what the last step added", () => {
    const closed = sampleActivity("session.closed", {
      outcome: "completed",
      costUsd: { value: 0.01, counts: "delta" },
      tokens: { counts: "delta", total: 5 },
    });
    expect(say(closed, "detailed")).toBe("is done");
  });

  test("is said of a turn where everything is wanted", () => {
    const ended = sampleActivity("turn.ended", { costUsd: { value: 0.001, counts: "delta" } });
    expect(say(ended)).toBe("is done for now");
    expect(say(ended, "detailed")).toBe("is done for now | It cost less than a cent.");
  });
});

describe("a tool", () => {
  test("that ran the tests tells how many failed", () => {
    const run = {
      tool: "Bash",
      input: { command: "npm test" },
      outcome: "failed",
      error: "Exit code 1\nTests: 1 failed, 5 passed",
    } as const;
    expect(say(sampleActivity("tool.ended", run))).toBe("ran the tests | 1 test failed, 5 passed.");
    expect(say(sampleActivity("tool.ended", { tool: "Bash", input: run.input, outcome: "succeeded", result: "1 passed" }))).toBe(
      "ran the tests | 1 test passed.",
    );
    expect(say(sampleActivity("tool.ended", { ...run, error: "No such command" }))).toBe(
      "got an error trying to run the tests | No such command.",
    );
  });

  test("is told why where nothing else tells, in the agent's words", () => {
    const call = { tool: "Bash", input: { command: "make-it-so --now" }, why: "Go live" };
    expect(say(sampleActivity("tool.started", call))).toBe("runs make-it-so | Go live.");
    expect(say(sampleActivity("tool.started", call), "terse")).toBe("runs make-it-so");
  });

  test("that names a secret does not say it", () => {
    const command = "cat sk-proj-Ab3dEf6hIj9kLm2nOp5qRs8t";
    expect(say(sampleActivity("tool.started", { tool: "Bash", input: { command } }))).toBe("reads a secret");
  });
});
