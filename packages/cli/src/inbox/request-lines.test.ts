import { UNSEEN } from "@earshot/terminal/plain-text";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cardLines } from "./card-lines.ts";
import { describeWanted, requestLines } from "./request-lines.ts";
import { type AskedPart, type SampleParts, sampleAsked, sampleDecision, sampleRequest, UTC } from "./testing/sample-request.ts";

describe("who wants what, in one sentence", () => {
  it.each<[AskedPart, string]>([
    [{}, "Claude Code in shop wants to run npm test"],
    [{ title: "Write", input: { file_path: "/home/ana/shop/src/a.ts", content: "x" } }, "Claude Code in shop wants to write src/a.ts"],
    [{ title: "Edit", input: { file_path: "/etc/hosts" } }, "Claude Code in shop wants to change /etc/hosts"],
    [{ title: "Read", input: { file_path: "/etc/hosts" } }, "Claude Code in shop wants to read /etc/hosts"],
    [{ title: "WebFetch", input: { url: "https://example.org/a" } }, "Claude Code in shop wants to open https://example.org/a"],
    [
      {
        title: "create_issue",
        input: { title: "x" },
        facts: { moment: "action", server: { name: "tracker" }, workspace: { cwd: "/w/shop" } },
      },
      "Claude Code in shop wants to use create_issue of the server tracker",
    ],
    [
      {
        kind: "clarification",
        said: [{ name: "rationale", text: "I wonder." }],
        fields: ["Which one?", "And then?"].map((text) => ({ name: text, text, kind: "text", isOpen: true, isRequired: true }) as const),
      },
      "Claude Code in shop asks: “Which one?”, and 1 more question",
    ],
    [{ title: "Task", input: { prompt: "look" } }, "Claude Code in shop wants to use Task"],
    [{ facts: { moment: "stop" }, title: "agent.stop" }, "Claude Code in session session-1 wants to end its turn"],
    [
      { facts: { moment: "prompt" }, input: [{ type: "prompt", text: "Tidy up" }], title: "prompt.submitted" },
      "Claude Code in session session-1 wants to take this prompt: “Tidy up”",
    ],
    [
      {
        kind: "confirmation",
        agent: "query-doctor",
        title: "confirmation",
        facts: {},
        said: [{ name: "action", text: "Drop the table orders_old." }],
      },
      "Query doctor in session session-1 wants to do this, in its own words: “Drop the table orders_old.”",
    ],
    [
      { kind: "clarification", facts: {}, said: [{ name: "question", text: "Which branch?" }] },
      "Claude Code in session session-1 asks: “Which branch?”",
    ],
    [
      { kind: "handoff", facts: { target_kind: "human" }, said: [{ name: "reason", text: "I am stuck." }] },
      "Claude Code in session session-1 wants to hand over to human, in its own words: “I am stuck.”",
    ],
  ])("%j", (asked, sentence) => {
    expect(describeWanted(sampleAsked(asked))).toBe(sentence);
  });

  it("counts padding instead of showing it, and says how much it leaves out", () => {
    expect(describeWanted(sampleAsked({ input: { command: `ls${"\n".repeat(500)}${" ".repeat(300)}rm -rf ~` } }))).toBe(
      "Claude Code in shop wants to run ls\\n×500[300 spaces]rm -rf ~",
    );
    expect(describeWanted(sampleAsked({ input: { command: `echo ${"x".repeat(1200)}` } }))).toMatch(/x… \(1,045 more characters\)$/);
  });

  it("names what does harm before what does none, where there is too much to say", () => {
    const command = `echo ${"hello ".repeat(60)} && sudo rm -rf /data`;
    expect(describeWanted(sampleAsked({ input: { command } }))).toBe("Claude Code in shop wants to run rm -rf /data, and 1 other command");
  });
});

const NEVER_REFUSED = /refus|den(?:y|ied)/i;

describe("a request as it is heard", () => {
  it("says who wants what, the way back, what silence brings and when, and its name", () => {
    const view = sampleRequest({
      asked: { input: { command: "git push --force" } },
      terms: { silence: { answer: { word: "deny" }, by: "policy: careful" } },
    });
    expect(requestLines(view, UTC)).toEqual([
      "Claude Code in shop wants to run git push --force",
      "Cannot be undone. Replaces history that others may have. Risk: high.",
      "Without an answer by 09:09, in 9 minutes 30 seconds, it does not happen, as the rule careful says.",
      "Id 3fa2c1.",
    ]);
  });

  it.each<[string, AskedPart, string]>([
    ["nothing is known", { input: { command: "make release" } }, "May not be reversible."],
    ["the hub knows of none", { irreversible: true, risk: "medium" }, "Cannot be undone. Risk: medium."],
    [
      "it cannot be inspected",
      { input: { command: 'eval "$(fetch-it)"' } },
      "Cannot be inspected. The text that `eval` runs is only known when it runs: `$(fetch-it)`. It is treated as if it could not be undone. Risk: high.",
    ],
    ["the agent says so", { kind: "confirmation", facts: { reversibility: "reversible" } }, "Can be undone, the agent says."],
    [
      "the agent says so with a but",
      { kind: "confirmation", facts: { reversibility: "reversible_with_effort" } },
      "Can be undone with effort, the agent says.",
    ],
  ])("tells the way back when %s", (_when, asked, line) => {
    expect(requestLines(sampleRequest({ asked }), UTC)[1]).toBe(line);
  });

  it("says what a screen would hide", () => {
    const [, line] = requestLines(sampleRequest({ asked: { input: { command: "ls \u202egnp.exe" } } }), UTC);
    expect(line).toContain("Hidden in it: U+202E right-to-left override, once.");
  });

  it.each<[SampleParts, string]>([
    [{ terms: { silence: { answer: { word: "ask" }, by: "hub" } } }, "the agent asks at its own prompt."],
    [{ terms: { silence: { answer: { word: "abstain" }, by: "hub" } } }, "the agent asks at its own prompt."],
    [{ terms: { silence: { answer: { word: "accept" }, by: "asker" } } }, "it goes ahead, as set by the agent."],
    [
      { asked: { risk: "high" }, terms: { silence: { answer: { word: "accept" }, by: "asker" } } },
      "it is denied, because risky actions need an answer.",
    ],
    [
      { terms: { silence: { answer: { word: "respond", response: "main" }, by: "asker" } } },
      "the agent goes on with “main”, as set by the agent.",
    ],
    [{ view: { leftMs: null } }, "It waits without a deadline."],
    [{ terms: { besideDialog: true } }, "Claude Code also shows its own dialog: the first answer decides."],
    [
      { view: { waits: false, closedBecause: "The agent no longer waits for an answer." } },
      "The agent no longer waits for an answer. It cannot be answered now.",
    ],
  ])("tells what silence brings: %j", (parts, ending) => {
    expect(requestLines(sampleRequest(parts), UTC).at(-2)).toContain(ending);
  });

  it("lists choices with the numbers by which they are chosen", () => {
    const choices = [
      { value: "a", label: "Staging" },
      { value: "b", label: "Production" },
    ];
    expect(
      requestLines(sampleRequest({ asked: { kind: "clarification", choices, said: [{ name: "question", text: "Where?" }] } }), UTC),
    ).toContain("Choices: 1 Staging, 2 Production.");
  });

  it.each<[Parameters<typeof sampleDecision>, string]>([
    [[{ word: "allow" }], "Allowed by Ana's phone at 08:59."],
    [[{ word: "deny" }, { reason: "not today" }], "Denied by Ana's phone at 08:59. Reason: “not today”"],
    [[{ word: "allow" }, { state: "answered-by-policy", by: "policy: tests" }], "Allowed by the rule tests at 08:59."],
    [[{ word: "respond", response: "main" }], "Answered by Ana's phone at 08:59: “main”"],
    [[{ word: "take-over" }], "Taken over by Ana's phone at 08:59."],
    [
      [{ word: "abstain" }, { state: "withdrawn", by: "hub", reason: "The session ended." }],
      "Withdrawn at 08:59 by the hub. Reason: “The session ended.”",
    ],
  ])("tells how it ended: %j", (decision, line) => {
    expect(requestLines(sampleRequest({ view: { state: "answered-by-person", decision: sampleDecision(...decision) } }), UTC)).toContain(
      line,
    );
  });

  it.each(["defaulted", "orphaned"] as const)("tells silence as no answer, never as a refusal: %s", (state) => {
    const decision = sampleDecision({ word: "deny" }, { state, by: "hub", unanswered: true });
    const line = requestLines(sampleRequest({ view: { state, decision } }), UTC).at(-2);
    expect(line).toMatch(/^No answer/);
    expect(line).not.toMatch(NEVER_REFUSED);
  });
});

describe("the whole card", () => {
  it("shows commands, files, the change and the input, and the agent's words apart", () => {
    const view = sampleRequest({
      asked: {
        title: "Edit",
        input: { file_path: "/home/ana/shop/a.ts", old_string: "one\ntwo\nthree", new_string: "one\n2\nthree", replace_all: false },
        said: [{ name: "rationale", text: "Numbers are shorter." }],
        masked: [{ pointer: "/new_string" }],
      },
    });
    expect(cardLines(view, UTC)).toEqual([
      "Claude Code in shop wants to change a.ts",
      "Can be undone by changing the text back.",
      "Without an answer by 09:09, in 9 minutes 30 seconds, the agent asks at its own prompt.",
      "Id 3fa2c1.",
      "Asked at 08:59, because of the rule guard/destructive.",
      "Files it touches:",
      "  writes /home/ana/shop/a.ts",
      "The change:",
      "    one",
      "  - two",
      "  + 2",
      "    three",
      "The input, as the agent sent it:",
      "  file_path: /home/ana/shop/a.ts",
      "  replace_all: false",
      "Masked, cannot be edited:",
      "  /new_string",
      "The agent's description, unverified:",
      "  rationale: “Numbers are shorter.”",
      "Further details:",
      "  moment: action",
      "  workspace:",
      "    cwd: /home/ana/shop",
      "It may be answered with: allow, deny, defer, stop. More time: 10 times, 10 minutes each.",
      "Session session-1, from producer in aep, position 17.",
      "Request req_3fa2c1d4e5f60718293a4b5c, digest digest-1.",
    ]);
  });

  it("shows a patch as a change, and a cell of a notebook", () => {
    const patch = "*** Begin Patch\n*** Update File: a.ts\n@@\n-old\n+new\n*** End Patch";
    const whole = cardLines(sampleRequest({ asked: { title: "apply_patch", input: { input: patch } } }), UTC);
    expect(whole).toContain("  +new");
    expect(whole).not.toContain("The input, as the agent sent it:");
    const cell = { title: "NotebookEdit", input: { notebook_path: "/home/ana/shop/a.ipynb", new_source: "x = 1" } };
    expect(cardLines(sampleRequest({ asked: cell }), UTC)).toContain("  + x = 1");
  });

  it("lists every command with what it is wrapped in and what it does", () => {
    const lines = cardLines(
      sampleRequest({ asked: { input: { command: "cd build && sudo bash -c 'rm -rf /srv/notes; cat /home/ana/.ssh/id_rsa'" } } }),
      UTC,
    );
    const from = lines.indexOf("Commands in it, as they would run:");
    expect(lines.slice(from + 1, lines.indexOf("The input, as the agent sent it:"))).toEqual([
      "  1. cd build. Goes to build.",
      expect.stringMatching(
        /^ {2}2\. rm -rf \/srv\/notes \(by sudo, bash\)\. Deletes \/srv\/notes, .*with other rights \(sudo\)\. Deletes folders with everything in them\./,
      ),
      expect.stringMatching(/^ {2}3\. cat \/home\/ana\/\.ssh\/id_rsa \(by sudo, bash\)\. Reads /),
      "Files it touches:",
      "  reads /home/ana/shop/build",
      "  deletes /srv/notes",
      "  reads /home/ana/.ssh/id_rsa (looks like a secret)",
    ]);
  });

  it("never lets through what acts on a terminal, wherever it stands, and stays one line per line", () => {
    const unseen = new RegExp(UNSEEN, "v");
    const hostile = fc.oneof(fc.string({ unit: "binary", maxLength: 60 }), fc.constant("\u001b[2J\r\u202e\n\u0000"));
    fc.assert(
      fc.property(hostile, hostile, hostile, (one, two, three) => {
        const view = sampleRequest({
          asked: {
            agent: one,
            title: two,
            session: three,
            input: { [one]: two, list: [three, { deep: one }] },
            said: [{ name: one, text: two }],
            facts: { moment: "action", workspace: { cwd: three }, [two]: one },
          },
          terms: { because: one, silence: { answer: { word: "respond", response: two }, by: `policy: ${three}` } },
          view: { source: one, session: two, decision: sampleDecision({ word: "respond", response: one }, { by: two, reason: three }) },
        });
        for (const line of [...cardLines(view, UTC), ...cardLines({ ...view, decision: null }, UTC)]) expect(line).not.toMatch(unseen);
      }),
    );
  });
});
