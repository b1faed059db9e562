import { describe, expect, it } from "vitest";
import { type AskedPart, type SampleParts, samplesAt } from "../../../hub/src/requests/testing/sample-request.ts";
import { languageWordsFor } from "../sentences/languages.ts";
import { describeAftermath, describeDecision } from "./describe-decision.ts";
import { describeRequest, type Presentation } from "./describe-request.ts";
import type { NarratedRequest } from "./request.ts";

const NOW = Date.UTC(2026, 6, 1, 9, 0);
const { sampleAsked, sampleRequest, sampleDecision } = samplesAt(NOW, {
  asked: { facts: { moment: "permission", workspace: { cwd: "/home/ana/shop" } } },
});
const SHOWN: Presentation = {
  show: (text, most) => (text.length <= most ? text : `${text.slice(0, most)}…`),
  clock: (at) => new Date(at).toISOString().slice(11, 16),
};
const UNTIL = NOW + 570_000;
const describe_ = (request: NarratedRequest, until: number | null = UNTIL, language = "en") =>
  describeRequest(request, until, { ...SHOWN, language });

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
    [{ facts: { moment: "stop" }, title: "agent.stop" }, "Claude Code in session session-1 wants to end its turn"],
    [
      { facts: { moment: "prompt" }, input: [{ type: "prompt", text: "Tidy up" }], title: "prompt.submitted" },
      "Claude Code in session session-1 wants to take this prompt: “Tidy up”",
    ],
    [
      { kind: "confirmation", agent: "query-doctor", title: "confirmation", facts: {}, said: [{ name: "action", text: "Drop it." }] },
      "Query doctor in session session-1 wants to do this, in its own words: “Drop it.”",
    ],
    [
      { kind: "confirmation", agent: "query-doctor", title: "drop_table", facts: {}, said: [{ name: "action", text: "Drop it." }] },
      "Query doctor in session session-1 wants to use drop_table, in its own words: “Drop it.”",
    ],
    [
      { kind: "clarification", facts: {}, said: [{ name: "question", text: "Which branch?" }] },
      "Claude Code in session session-1 asks: “Which branch?”",
    ],
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
      "Claude Code in session session-1 wants to hand over to human, in its own words: “I am stuck.”",
    ],
  ])("%j", (asked, sentence) => {
    expect(describe_(sampleRequest({ asked })).heading).toBe(sentence);
  });

  it("names what does harm before what does none, where there is too much to say", () => {
    const request = sampleRequest({ asked: { input: { command: `echo ${"hello ".repeat(60)} && sudo rm -rf /data` } } });
    expect(describe_(request).what).toBe("run rm -rf /data, and 1 other command");
  });
});

describe("whether there is a way back", () => {
  it.each<[string, AskedPart, string]>([
    ["nothing is known", { input: { command: "make release" } }, "May not be reversible."],
    ["the hub knows of none", { irreversible: true }, "Cannot be undone."],
    ["there is none", { input: { command: "git push --force" } }, "Cannot be undone."],
    ["it cannot be inspected", { input: { command: 'eval "$(fetch-it)"' } }, "Cannot be inspected."],
    ["the agent says so", { kind: "confirmation", facts: { reversibility: "reversible" } }, "Can be undone, the agent says."],
    ["it is a commit", { input: { command: "cd src && git commit -m fix" } }, "Can be undone by git reset --soft HEAD~1."],
    ["it is a commit in another's name", { input: { command: "sudo git commit -m fix" } }, "May not be reversible."],
    ["a commit is replaced", { input: { command: "git commit --amend" } }, "May not be reversible."],
    [
      "it is an edit",
      { title: "Edit", input: { file_path: "/home/ana/shop/a", old_string: "a", new_string: "b" } },
      "Can be undone by changing the text back.",
    ],
    ["it only reads", { title: "Read", input: { file_path: "/home/ana/shop/a" } }, "Changes nothing: it only reads."],
  ])("when %s", (_when, part, sentence) => {
    expect(describe_(sampleRequest({ asked: part })).reversal?.sentence).toContain(sentence);
  });

  it("says nothing about tests", () => {
    for (const command of ["npm test", "pytest -q", "tsc && cargo clippy"])
      expect(describe_(sampleRequest({ asked: { input: { command } } })).reversal).toBeUndefined();
    expect(describe_(sampleRequest({ asked: { input: { command: "sudo npm test" } } })).reversal?.sentence).toBe("May not be reversible.");
  });

  it("is not asked where nothing happens", () => {
    for (const part of [{ kind: "clarification" }, { kind: "handoff" }, { facts: { moment: "stop" } }] as const) {
      expect(describe_(sampleRequest({ asked: part })).reversal).toBeUndefined();
    }
  });
});

describe("what silence brings, and when", () => {
  it.each<[SampleParts, string]>([
    [{}, "Without an answer by 09:09, the agent asks at its own prompt."],
    [{ terms: { silence: { answer: { word: "abstain" }, by: "hub" } } }, "the agent asks at its own prompt."],
    [
      { terms: { silence: { answer: { word: "deny" }, by: "policy: careful" } } },
      "Without an answer by 09:09, it does not happen, as the rule careful says.",
    ],
    [
      { asked: { kind: "clarification", protocol: "aaep" }, terms: { silence: { answer: { word: "abstain" }, by: "asker" } } },
      "the agent gets no answer and decides for itself, as set by the agent.",
    ],
    [{ terms: { silence: { answer: { word: "accept" }, by: "asker" } } }, "it goes ahead, as set by the agent."],
    [{ terms: { silence: { answer: { word: "allow" }, by: "policy: tests" } } }, "it goes ahead, as the rule tests says."],
    [
      { asked: { risk: "high" }, terms: { silence: { answer: { word: "accept" }, by: "asker" } } },
      "it is denied, because risky actions need an answer.",
    ],
    [
      { terms: { silence: { answer: { word: "respond", response: "main" }, by: "asker" } } },
      "the agent goes on with “main”, as set by the agent.",
    ],
    [{ view: { extensionsLeft: 0 } }, "The deadline cannot be extended: Claude Code cannot wait longer."],
    [{ terms: { besideDialog: true } }, "Claude Code also shows its own dialog: the first answer decides."],
    [{ asked: { agent: "gemini", facts: { moment: "action" } } }, "Allowing here does not skip Gemini CLI's own question."],
  ])("%j", (parts, sentence) => {
    expect(describe_(sampleRequest(parts)).silence.join(" ")).toContain(sentence);
  });

  it("is nothing where it waits for as long as it takes", () => {
    expect(describe_(sampleRequest({ view: { extensionsLeft: 0 } }), null).silence).toEqual(["It waits without a deadline."]);
  });
});

describe("whether a yes is confirmed", () => {
  it.each<[AskedPart, string | undefined]>([
    [{}, undefined],
    [{ irreversible: true }, "This cannot be undone."],
    [{ risk: "high" }, "The risk is high."],
    [{ input: { command: "git push --force" } }, "This cannot be undone."],
    [{ input: { command: 'eval "$(fetch-it)"' } }, "This cannot be undone."],
  ])("%j", (asked, why) => {
    expect(describe_(sampleRequest({ asked })).risky).toBe(why);
  });

  it("takes the worst of what the agent and the hub say", () => {
    const view = sampleRequest();
    const inspection = { ...view.inspection, risk: "low" } as const;
    expect(describe_({ ...view, card: { ...view.card, asked: { ...view.card.asked, risk: "medium" } }, inspection }).risk).toBe("medium");
    expect(describe_({ ...view, inspection: { ...inspection, uninspectable: "It cannot be read." } }).risky).toBe(
      "It cannot be inspected.",
    );
  });
});

describe("in German", () => {
  it("are dangers said by their ids, and what cannot be undone", () => {
    const { dangers, reversal, silence } = describe_(sampleRequest({ asked: { input: { command: "rm -rf src" } } }), UNTIL, "de");
    expect(dangers).toContain("Löscht Ordner mit allem darin.");
    expect(reversal?.sentence).toBe("Lässt sich nicht rückgängig machen.");
    expect(silence[0]).toBe("Ohne Antwort bis 09:09: der Agent fragt im eigenen Fenster.");
    expect(languageWordsFor("de").catalogue.dangers["no-such-danger"]).toBeUndefined();
  });
});

describe("how it ended, in words", () => {
  const at = "08:59";
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
      `Withdrawn at ${at} by the hub. Reason: “The session ended.”`,
    ],
    [[{ word: "accept" }, { state: "defaulted", by: "hub" }], `No answer came by ${at}: it went ahead.`],
  ])("%j", (decision, words) => {
    expect(describeDecision(sampleDecision(...decision), { asked: sampleAsked() }, SHOWN)).toBe(words);
  });

  it("names what it is about where that cannot be seen", () => {
    const about = { asked: sampleAsked(), what: "run git push" };
    expect(describeDecision(sampleDecision({ word: "allow" }), about, SHOWN)).toBe(`Allowed: run git push, by Ana's phone at ${at}.`);
    expect(describeDecision(sampleDecision({ word: "allow", edit: [{ pointer: "/command", value: "ls" }] }), about, SHOWN)).toBe(
      `Allowed: run git push, with changes, by Ana's phone at ${at}.`,
    );
    expect(describeDecision(sampleDecision({ word: "accept" }, { state: "defaulted", by: "hub" }), about, SHOWN)).toBe(
      `No answer came by ${at}: it went ahead. It was about: run git push.`,
    );
  });

  it("tells a choice as it was offered, not as it is sent", () => {
    const choices = [
      { value: "s", label: "Staging" },
      { value: "p", label: "Production" },
    ];
    const one = sampleAsked({ kind: "clarification", choices, responds: ["multiple_choice"] });
    expect(describeDecision(sampleDecision({ word: "respond", response: "p" }), { asked: one }, SHOWN)).toMatch(/: “Production”$/);
    const fields = [
      { name: "to", text: "Where to?", kind: "choices", choices, isOpen: false, isRequired: true },
      { name: "now", text: "Now?", kind: "confirm", isOpen: false, isRequired: true },
    ] as const;
    const form = sampleAsked({ kind: "clarification", fields });
    expect(describeDecision(sampleDecision({ word: "respond", response: { to: ["s", "p"], now: true } }), { asked: form }, SHOWN)).toMatch(
      /: “Where to\? Staging, Production; Now\? yes”$/,
    );
  });

  it.each(["defaulted", "orphaned"] as const)("silence is no answer, never a refusal: %s", (state) => {
    const words = describeDecision(
      sampleDecision({ word: "deny" }, { state, by: "hub", unanswered: true }),
      { asked: sampleAsked() },
      SHOWN,
    );
    expect(words).toMatch(/^No answer/);
    expect(words).not.toMatch(/refus|den(?:y|ied)/i);
  });

  it("tells whether it was taken, and what came of it", () => {
    expect(describeAftermath({ takenAt: null, outcome: null }, SHOWN)).toBeUndefined();
    const taken = { takenAt: new Date(NOW).toISOString(), outcome: "completed" };
    expect(describeAftermath(taken, SHOWN)).toBe(`The agent took the answer at 09:00. Result: completed.`);
  });
});
