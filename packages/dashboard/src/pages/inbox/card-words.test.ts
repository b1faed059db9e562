import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { inspectAsked } from "../../../../hub/src/decide/inspection.ts";
import { type AskedPart, NOW, type SampleParts, sampleAsked, sampleRequest } from "../../words/testing/sample-request.ts";
import { clock } from "../../words/times.ts";
import { kindOfRequest } from "./same-request.ts";
import { ASK_ANYWAY, silenceWords } from "./silence-words.ts";
import { wayBackOf } from "./way-back.ts";

describe("whether there is a way back", () => {
  it.each<[string, AskedPart, string]>([
    ["nothing is known", {}, "Whether it can be undone is not known."],
    ["the hub knows of none", { irreversible: true }, "Cannot be undone."],
    ["there is none", { input: { command: "git push --force" } }, "Cannot be undone."],
    ["it cannot be inspected", { input: { command: 'eval "$(fetch-it)"' } }, "Cannot be inspected."],
    ["the agent says so", { kind: "confirmation", facts: { reversibility: "reversible" } }, "Can be undone, the agent says."],
    ["it is a commit", { input: { command: "cd src && git commit -m fix" } }, "Can be undone by git reset --soft HEAD~1."],
    ["it is a commit in another's name", { input: { command: "sudo git commit -m fix" } }, "Whether it can be undone is not known."],
    ["a commit is replaced", { input: { command: "git commit --amend" } }, "not known"],
    [
      "it is an edit",
      { title: "Edit", input: { file_path: "/home/ana/shop/a", old_string: "a", new_string: "b" } },
      "Can be undone by changing the text back.",
    ],
    ["it only reads", { title: "Read", input: { file_path: "/home/ana/shop/a" } }, "Changes nothing: it only reads."],
  ])("when %s", (_when, part, sentence) => {
    const asked = sampleAsked(part);
    expect(wayBackOf(asked, inspectAsked(asked))?.sentence).toContain(sentence);
  });

  it("is not asked where nothing happens", () => {
    for (const part of [{ kind: "clarification" }, { kind: "handoff" }, { facts: { moment: "stop" } }] as const) {
      const asked = sampleAsked(part);
      expect(wayBackOf(asked, inspectAsked(asked))).toBeUndefined();
    }
  });
});

describe("what silence brings, and when", () => {
  const until = clock(NOW + 570_000, NOW);
  it.each<[SampleParts, string]>([
    [{}, `If you don't answer by ${until}, Claude Code will ask at its own terminal.`],
    [{ terms: { silence: { answer: { word: "abstain" }, by: "hub" } } }, "Claude Code will ask at its own terminal."],
    [
      { terms: { silence: { answer: { word: "deny" }, by: "policy: careful" } } },
      `If you don't answer by ${until}, Claude Code will be told there was no answer, and it does not happen.`,
    ],
    [
      { asked: { kind: "clarification", protocol: "aaep" }, terms: { silence: { answer: { word: "abstain" }, by: "asker" } } },
      "Claude Code will be told there was no answer.",
    ],
    [{ terms: { silence: { answer: { word: "accept" }, by: "asker" } } }, "will go ahead, as it has set itself."],
    [{ terms: { silence: { answer: { word: "allow" }, by: "policy: tests" } } }, "will go ahead, as the rule tests says."],
    [
      { asked: { risk: "high" }, terms: { silence: { answer: { word: "accept" }, by: "asker" } } },
      "will be told there was no answer, and it does not happen.",
    ],
    [
      { terms: { silence: { answer: { word: "respond", response: "main" }, by: "asker" } } },
      "will go on with “main”, as it has set itself.",
    ],
    [{ view: { deadlineAt: null } }, "It waits for as long as it takes."],
    [{ view: { extensionsLeft: 0 } }, "More time cannot be had: Claude Code waits no longer."],
    [{ terms: { besideDialog: true } }, "Claude Code shows its own dialog, too: whichever is answered first counts."],
    [{ asked: { agent: "gemini", facts: { moment: "action" } } }, "Allowing here does not skip Gemini CLI's own question."],
  ])("%j", (parts, sentence) => {
    expect(silenceWords(sampleRequest(parts), NOW).join(" ")).toContain(sentence);
  });

  it("says that an agent asks anyway of exactly those that cannot be told to go ahead, and have a question of their own", () => {
    const folder = new URL("../../../../agents/compiled/", import.meta.url);
    const found = readdirSync(folder).flatMap((name) => {
      const { answers } = JSON.parse(readFileSync(new URL(name, folder), "utf8")) as Compiled;
      const before = (answers?.hooks ?? []).filter(({ moment }) => moment === "before_action");
      const isHeard = ({ replies: { allow } }: Hook) => allow !== undefined && allow.as === undefined && allow.needsUpdatedInput !== true;
      return before.length > 0 && !before.some(isHeard) ? [name.replace(".json", "")] : [];
    });
    const NEVER_ASKS = "pi";
    expect([...ASK_ANYWAY, NEVER_ASKS].sort()).toEqual(found.sort());
  });
});

interface Hook {
  readonly moment: string;
  readonly replies: { readonly allow?: { readonly as?: string; readonly needsUpdatedInput?: boolean } };
}
interface Compiled {
  readonly answers?: { readonly hooks: readonly Hook[] };
}

describe("requests that may be decided together", () => {
  const kind = (parts: SampleParts) => kindOfRequest(sampleRequest(parts));
  it("are the same, whoever asks in whatever session", () => {
    expect(kind({})).toBeDefined();
    expect(kind({ asked: { session: "session-2" }, view: { id: "req_2", digest: "digest-2" } })).toBe(kind({}));
    expect(kind({ asked: { input: { command: "npm test -- cart" } } })).not.toBe(kind({}));
    expect(kind({ asked: { facts: { moment: "permission", workspace: { cwd: "/home/ana/other" } } } })).not.toBe(kind({}));
    expect(kind({ asked: { risk: "medium" } })).toBeDefined();
  });

  it.each<[string, SampleParts]>([
    ["of high risk", { asked: { risk: "high" } }],
    ["known to do harm", { asked: { input: { command: "git push --force" } } }],
    ["not to be undone", { asked: { irreversible: true } }],
    ["not to be inspected", { asked: { input: { command: 'eval "$(x)"' } } }],
    ["of something that nothing is known about", { asked: { title: "launch", input: { where: "here" } } }],
    ["with something masked", { asked: { masked: [{ pointer: "/command" }] } }],
    ["for words", { asked: { kind: "clarification" } }],
    ["that nobody waits for", { view: { waits: false } }],
  ])("are never those %s", (_what, parts) => {
    expect(kind(parts)).toBeUndefined();
  });
});
