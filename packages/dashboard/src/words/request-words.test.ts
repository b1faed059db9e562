import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aftermathWords, decisionWords } from "./decision-words.ts";
import { headingOf, wishOf } from "./request-words.ts";
import { type AskedPart, NOW, sampleAsked, sampleDecision, sampleRequest } from "./testing/sample-request.ts";
import { clock } from "./times.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/;

describe("who wants what, in one sentence", () => {
  it.each<[AskedPart, string]>([
    [{}, "Claude Code in shop wants to run npm test"],
    [{ input: { command: ["git", "push"] } }, "Claude Code in shop wants to run git push"],
    [{ title: "Write", input: { file_path: "/home/ana/shop/src/a.ts", content: "x" } }, "Claude Code in shop wants to write src/a.ts"],
    [{ title: "Edit", input: { file_path: "/etc/hosts" } }, "Claude Code in shop wants to change /etc/hosts"],
    [
      { title: "str_replace_editor", input: { command: "str_replace", path: "/etc/hosts" } },
      "Claude Code in shop wants to change /etc/hosts",
    ],
    [{ title: "WebFetch", input: { url: "https://example.org/a" } }, "Claude Code in shop wants to open https://example.org/a"],
    [{ title: "WebSearch", input: { query: "weather" } }, "Claude Code in shop wants to search for “weather”"],
    [
      {
        title: "create_issue",
        input: { title: "x" },
        facts: { moment: "action", server: { name: "tracker" }, workspace: { cwd: "/w/shop" } },
      },
      "Claude Code in shop wants to use create_issue of the server tracker",
    ],
    [{ title: "Task", input: { prompt: "look" } }, "Claude Code in shop wants to use Task"],
    [{ facts: { moment: "stop" }, title: "agent.stop" }, "Claude Code wants to end its turn"],
    [
      { facts: { moment: "prompt" }, input: [{ type: "prompt", text: "Tidy up" }], title: "prompt.submitted" },
      "Claude Code wants to take this prompt: “Tidy up”",
    ],
    [
      { kind: "confirmation", agent: "query-doctor", title: "confirmation", facts: {}, said: [{ name: "action", text: "Drop it." }] },
      "Query doctor wants to do this, in its own words: “Drop it.”",
    ],
    [
      { kind: "confirmation", agent: "query-doctor", title: "drop_table", facts: {}, said: [{ name: "action", text: "Drop it." }] },
      "Query doctor wants to use drop_table, in its own words: “Drop it.”",
    ],
    [{ kind: "clarification", facts: {}, said: [{ name: "question", text: "Which branch?" }] }, "Claude Code asks: “Which branch?”"],
    [
      {
        kind: "clarification",
        said: [{ name: "rationale", text: "I wonder." }],
        fields: ["Which one?", "And then?"].map((text) => ({ name: text, text, kind: "text", isOpen: true, isRequired: true }) as const),
      },
      "Claude Code in shop asks: “Which one?”, and 1 more question",
    ],
    [
      { kind: "handoff", facts: { target_kind: "human" }, said: [{ name: "reason", text: "I am stuck." }] },
      "Claude Code wants to hand over to human, in its own words: “I am stuck.”",
    ],
  ])("%j", (asked, sentence) => {
    expect(headingOf(sampleRequest({ asked }))).toBe(sentence);
  });

  it("writes out what a screen would hide, and says how much it leaves out", () => {
    const heading = (command: string) => headingOf(sampleRequest({ asked: { input: { command } } }));
    expect(heading(`ls${" ".repeat(300)}; rm -rf ~`)).toBe("Claude Code in shop wants to run ls ⟨300 spaces⟩ ; rm -rf ~");
    expect(heading("ls \u202egnp.exe")).toContain("⟨U+202E right-to-left override⟩gnp.exe");
    expect(heading("echo hello\nrm -rf ~")).toBe("Claude Code in shop wants to run echo hello ⏎ rm -rf ~");
    expect(heading(`echo ${"x".repeat(1200)}`)).toMatch(/x… \(1,045 more characters\)$/);
  });

  it("names what does harm before what does none, where there is too much to say", () => {
    const request = sampleRequest({ asked: { input: { command: `echo ${"hello ".repeat(60)} && sudo rm -rf /data` } } });
    const commands = [
      { text: "echo hello", dangers: [] },
      { text: "rm -rf /data", dangers: ["Deletes."] },
    ];
    expect(wishOf(request, { commands }).what).toBe("run rm -rf /data, and 1 other command");
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
          expect(headingOf(sampleRequest({ asked: { ...asked, kind } }))).not.toMatch(UNSEEN);
        }
      }),
    );
  });
});

describe("how it ended, in words", () => {
  const at = clock(NOW - 60_000, NOW);
  it.each<[Parameters<typeof sampleDecision>, string]>([
    [[{ word: "allow" }], `Allowed by Ana's phone at ${at}.`],
    [[{ word: "allow", edit: [{ pointer: "/command", value: "ls" }] }], `Allowed, with changes, by Ana's phone at ${at}.`],
    [[{ word: "deny" }, { reason: "not today" }], `Denied by Ana's phone at ${at}. Reason: “not today”`],
    [[{ word: "allow" }, { state: "answered-by-policy", by: "policy: tests" }], `Allowed by the rule tests at ${at}.`],
    [[{ word: "respond", response: "main" }], `Answered by Ana's phone at ${at}: “main”`],
    [[{ word: "respond", response: true }], `Answered by Ana's phone at ${at}: “yes”`],
    [[{ word: "take-over" }], `Taken over by Ana's phone at ${at}.`],
    [
      [{ word: "abstain" }, { state: "withdrawn", by: "hub", reason: "The session ended." }],
      `Taken back at ${at} by the hub. Reason: “The session ended.”`,
    ],
    [[{ word: "accept" }, { state: "defaulted", by: "hub" }], `No answer came by ${at}: it went ahead.`],
  ])("%j", (decision, words) => {
    expect(decisionWords(sampleDecision(...decision), { asked: sampleAsked() }, NOW)).toBe(words);
  });

  it("names what it is about where that cannot be seen", () => {
    const about = { asked: sampleAsked(), what: "run git push" };
    expect(decisionWords(sampleDecision({ word: "allow" }), about, NOW)).toBe(`Allowed: run git push, by Ana's phone at ${at}.`);
    expect(decisionWords(sampleDecision({ word: "allow", edit: [{ pointer: "/command", value: "ls" }] }), about, NOW)).toBe(
      `Allowed: run git push, with changes, by Ana's phone at ${at}.`,
    );
    expect(decisionWords(sampleDecision({ word: "accept" }, { state: "defaulted", by: "hub" }), about, NOW)).toBe(
      `No answer came by ${at}: it went ahead. It was about: run git push.`,
    );
  });

  it("tells a choice as it was offered, not as it is sent", () => {
    const choices = [
      { value: "s", label: "Staging" },
      { value: "p", label: "Production" },
    ];
    const one = sampleAsked({ kind: "clarification", choices, responds: ["multiple_choice"] });
    expect(decisionWords(sampleDecision({ word: "respond", response: "p" }), { asked: one }, NOW)).toMatch(/: “Production”$/);
    const fields = [
      { name: "to", text: "Where to?", kind: "choices", choices, isOpen: false, isRequired: true },
      { name: "now", text: "Now?", kind: "confirm", isOpen: false, isRequired: true },
    ] as const;
    const form = sampleAsked({ kind: "clarification", fields });
    expect(decisionWords(sampleDecision({ word: "respond", response: { to: ["s", "p"], now: true } }), { asked: form }, NOW)).toMatch(
      /: “Where to\? Staging, Production; Now\? yes”$/,
    );
  });

  it.each(["defaulted", "orphaned"] as const)("silence is no answer, never a refusal: %s", (state) => {
    const words = decisionWords(sampleDecision({ word: "deny" }, { state, by: "hub", unanswered: true }), { asked: sampleAsked() }, NOW);
    expect(words).toMatch(/^No answer/);
    expect(words).not.toMatch(/refus|den(?:y|ied)/i);
  });

  it("tells whether it was taken, and what came of it", () => {
    expect(aftermathWords({ takenAt: null, outcome: null })).toBeUndefined();
    const taken = { takenAt: new Date(NOW).toISOString(), outcome: "completed" };
    expect(aftermathWords(taken, NOW)).toBe(`The agent took the answer at ${clock(NOW, NOW)}. What came of it: completed.`);
  });
});
