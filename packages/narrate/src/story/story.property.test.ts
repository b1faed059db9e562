import type { Activity } from "@earshot/protocol/activities";
import { describe, expect, it } from "vitest";
import { spaceWords } from "../amounts.ts";
import { LANGUAGES, languageWordsFor } from "../sentences/languages.ts";
import { fromAgents, fromConformance, fromDemo } from "../testing/corpus.ts";
import { SAMPLES } from "../testing/samples.ts";
import { describeActivity, describeEnvelope } from "./describe-item.ts";
import type { Narration } from "./narration.ts";

const ACTIVITIES: readonly Activity[] = [...SAMPLES, ...fromAgents(), ...fromConformance(), ...(await fromDemo())];

function narrate(activity: Activity, language: string): Narration {
  const voice = { language, isShort: false };
  const told = describeActivity(activity, voice);
  const item = { position: 1, receivedAt: 0, activity, flags: [], alerts: [], redactions: 0 };
  return { ...told, facts: [...told.facts, ...describeEnvelope(item, voice, String)] };
}

/** Every text of a narration visible at the highest rank. */
function textOf({ title, subject, outcome, quotes, facts }: Narration): string {
  return JSON.stringify([title, subject?.text, outcome?.words, quotes, facts]);
}

/** Members that place an activity in its session, and display hints. Alternative lengths of a summary count as one. */
const NOT_READ: ReadonlySet<string> = new Set([
  "kind",
  "protocol",
  "session",
  "eventId",
  "at",
  "parent",
  "conversation",
  "turn",
  "workspace",
  "style",
  "summaries",
  "language",
  "urgency",
  "tokens",
  "costUsd",
  "context",
]);

function leavesOf(value: unknown): readonly string[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => (NOT_READ.has(name) ? [] : leavesOf(one)));
}

const squeeze = (text: string) =>
  spaceWords(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");

describe.each(LANGUAGES)("every activity of every sample in %s", (language) => {
  it("has a title, and says nothing that is missing or no text", () => {
    for (const activity of ACTIVITIES) {
      const { title, outcome, facts } = narrate(activity, language);
      expect(title.trim()).not.toBe("");
      const words = [title, outcome?.words ?? "-", ...facts.flatMap(({ label, value }) => [label, value])];
      for (const one of words)
        expect([activity.kind, one]).toEqual([activity.kind, expect.not.stringMatching(/^$|undefined|NaN|\[object/)]);
    }
  });

  it("has every text of its source at the highest rank", () => {
    for (const activity of ACTIVITIES) {
      // Names, answers and verdicts have their own words; AEP and AAEP envelopes are described separately.
      const { agent: _agent, agentName: _name, metadata: _metadata, ...said } = activity;
      const read = activity.kind === "custom" || activity.kind === "request.answered" ? {} : said;
      const told = squeeze(textOf(narrate(activity, language)));
      const { word } = languageWordsFor(language).catalogue.story;
      const lost = leavesOf(read).filter(
        (leaf) =>
          !isWorded(leaf) &&
          !told.includes(squeeze(word(leaf))) &&
          !leaf.split("\n").every((line) => told.includes(squeeze(JSON.stringify(line)))),
      );
      expect([activity.kind, activity.type, lost]).toEqual([activity.kind, activity.type, []]);
    }
  });

  it("has the same parts in the same order as in English", () => {
    for (const activity of ACTIVITIES) {
      const shape = ({ topic, tone, subject, quotes, facts }: Narration) => [
        topic,
        tone,
        subject,
        quotes.map(({ as, rank }) => [as, rank]),
        facts.map(({ rank }) => rank),
      ];
      expect(shape(narrate(activity, language))).toEqual(shape(narrate(activity, "en")));
    }
  });
});

/** Protocol words that a catalogue translates. */
function isWorded(leaf: string): boolean {
  return WORDED.has(leaf);
}

const WORDED: ReadonlySet<string> = new Set([
  ...["completed", "failed", "cancelled", "timeout", "unknown", "succeeded", "denied"],
  ...["approved", "asked", "deferred", "abstained", "allow", "deny", "ask", "approve", "defer", "abstain"],
  ...["low", "medium", "high", "set", "in_progress", "abandoned", "read", "write", "delete", "tool", "skill", "subagent", "other"],
  ...["confirmation", "clarification", "permission", "handoff", "thought", "response", "awaiting_input"],
]);

it("German has no label of the English catalogue, except words that are the same", () => {
  const same = ["Plan", "Server", "Text", "Tokens"];
  const [english, german] = [languageWordsFor("en").catalogue.story.labels, languageWordsFor("de").catalogue.story.labels];
  const equal = Object.entries(english).filter(([name, label]) => german[name as keyof typeof german] === label);
  expect(equal.map(([, label]) => label).filter((label) => !same.includes(label))).toEqual([]);
});
