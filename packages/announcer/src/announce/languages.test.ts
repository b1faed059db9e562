import type { Activity } from "@earshot/protocol/activities";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stringsOf } from "../../../../tools/strings.ts";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { introduce } from "../../../narrate/src/sentences/introduce.ts";
import { LANGUAGES, phrasesFor, wordsForLanguage } from "../../../narrate/src/sentences/languages.ts";
import type { Verbosity } from "../../../narrate/src/sentences/words.ts";
import { sampleActivity } from "../../../narrate/src/testing/acts.ts";
import { fromAgents, fromConformance, fromDemo } from "../../../narrate/src/testing/corpus.ts";
import { SAMPLES } from "../../../narrate/src/testing/samples.ts";
import type { Catalogue } from "../../../narrate/src/words/catalogue.ts";
import { ENGLISH } from "../../../narrate/src/words/english.ts";
import { GERMAN } from "../../../narrate/src/words/german.ts";
import { createAnnouncer } from "./create-announcer.ts";
import { shortAgent, shortProject } from "./session-track.ts";

const VERBOSITIES: readonly Verbosity[] = ["terse", "normal", "detailed"];
const CORPUS: readonly Activity[] = [...SAMPLES, ...fromAgents(), ...fromConformance(), ...(await fromDemo())];
/** These are never announced: they only show activity or have no words. */
const MAY_BE_SILENT: ReadonlySet<string> = new Set(["heartbeat", "output.chunk", "notification"]);

/** Equal in English and German; `nan` comes from a placeholder number. */
/** Also words of commands, such as `earshot check explain`. */
const SHARED: readonly string[] =
  "agent an branch cent check code commit commits container dollar earshot explain hub id in json million minute nan note plan pull push repository request server show so status system test tests text token tokens tree us version was will".split(
    " ",
  );

test.each([
  ["en", "en"],
  ["en-GB", "en"],
  ["de", "de"],
  ["de-AT", "de"],
  ["DE-ch", "de"],
  ["fr", "en"],
  ["", "en"],
  ["not a tag", "en"],
])("%j is served in %s", (asked, served) => {
  expect(phrasesFor(asked).language).toBe(served);
  expect(wordsForLanguage(asked)(sampleActivity("turn.started", {}), "normal", asked)?.language).toBe(served);
});

test("the language may change while it speaks, also for what waits", () => {
  const announcer = createAnnouncer();
  announcer.handle(sampleActivity("tool.started", { tool: "Bash", input: { command: "npm test" } }), 0);
  announcer.change({ language: "de" }, 1);
  expect(announcer.next(1)?.text).toBe("Führt die Tests aus.");
  announcer.change({ language: "en" }, 2);
  expect(announcer.overview(3).text).toContain("is running");
});

describe.each(LANGUAGES)("in %s", (language) => {
  const words = wordsForLanguage(language);

  test("every kind of activity has words at every verbosity, or deliberately none", () => {
    expect(new Set(SAMPLES.map(({ kind }) => kind)).size).toBe(31);
    for (const activity of CORPUS)
      for (const verbosity of VERBOSITIES) {
        const told = words(activity, verbosity, language);
        if (told === undefined) expect(MAY_BE_SILENT, JSON.stringify(activity)).toContain(activity.kind);
        else expect(`${told.verb}${told.segments.map(({ text }) => text).join("")}`.trim(), JSON.stringify(activity)).not.toBe("");
      }
  });

  test("no place of a template is left open, and nothing has two spaces", () => {
    for (const activity of CORPUS)
      for (const verbosity of VERBOSITIES) {
        const told = words(activity, verbosity, language);
        const ours = [told?.verb ?? "", ...(told?.segments ?? []).filter((one) => one.language === language).map(({ text }) => text)];
        for (const text of ours) expect(text, JSON.stringify(activity)).not.toMatch(/\{\w+[|}]|\|\||undefined| {2}|^ | $/);
      }
  });

  test("agent, project and verb are in the first 40 characters, however long they are", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CORPUS),
        fc.constantFrom(...VERBOSITIES),
        fc.string({ minLength: 1, maxLength: 40, size: "max", unit: fc.constantFrom(..."abcdefg-") }),
        fc.string({ minLength: 1, maxLength: 40, size: "max", unit: fc.constantFrom(..."tuvwxyz-") }),
        (activity, verbosity, agent, project) => {
          const told = words(activity, verbosity, language);
          if (told === undefined || told.verb === "") return;
          const from = phrasesFor(language).from(shortAgent({ agentName: agent }), shortProject({ workspace: `/home/${project}` }));
          const shown = (introduce(told, from)[0]?.text ?? "").slice(0, 40);
          expect(shown).toContain(agent.slice(0, 8));
          expect(shown).toContain(` in ${project.slice(0, 3)}`);
          expect(shown).toContain(` ${told.verb.split(" ")[0]?.slice(0, 14)}`);
        },
      ),
      { numRuns: propertyRuns() },
    );
  });

  test("what an agent wrote for the ear is kept in its own language", () => {
    const told = words(
      sampleActivity("tool.started", { protocol: "aaep", tool: "t", summary: "Je lis le journal.", language: "fr" }),
      "normal",
      language,
    );
    expect(told).toEqual({ verb: "", language, segments: [{ text: "Je lis le journal.", language: "fr" }] });
  });

  test("whatever a tool is given and gives back, the words are few and can be said", () => {
    const tool = fc.constantFrom("Bash", "Edit", "apply_patch", "Write", "Read", "Grep", "WebFetch", "TodoWrite", "Task", "x", "");
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.dictionary(
        fc.constantFrom("command", "file_path", "url", "query", "todos", "edits", "patch", "subagent_type"),
        fc.jsonValue({ maxDepth: 2 }),
      ),
      fc.constantFrom<string>(
        "x".repeat(300_000),
        "*** Begin Patch\n*** Update File: \n",
        "/".repeat(5000),
        "a b ".repeat(50_000),
        "\u202e\u0007",
      ),
    );
    fc.assert(
      fc.property(tool, value, value, fc.constantFrom(...VERBOSITIES), (name, input, output, verbosity) => {
        for (const kind of ["tool.started", "tool.ended"] as const) {
          const given = sampleActivity(kind, { tool: name, input, output, outcome: "failed", subject: JSON.stringify(input) } as Parameters<
            typeof sampleActivity
          >[1]);
          const told = words(given, verbosity, language);
          const text = [told?.verb ?? "", ...(told?.segments ?? []).map((one) => one.text)].join(" ");
          expect(text.length).toBeLessThan(2500);
          expect(text).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("code and secrets are in no words, whatever runs", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fc.constantFrom(...VERBOSITIES), (noise, verbosity) => {
        const command = `${noise}; curl -H "Authorization: Bearer sk-proj-Ab3dEf6hIj9kLm2nOp5qRs8t" x | awk '{print $1}' > $OUT`;
        const told = words(sampleActivity("tool.started", { tool: "Bash", subject: command, input: { command } }), verbosity, language);
        const text = [told?.verb, ...(told?.segments ?? []).map((one) => one.text)].join(" ");
        expect(text).not.toMatch(/sk-proj|Bearer|\$OUT|print \$|awk/);
      }),
    );
  });
});

describe("German", () => {
  test("has no English words of ours left in it", () => {
    const english = vocabularyOf(ENGLISH);
    for (const word of vocabularyOf(GERMAN)) english.delete(word);
    // Words equal in both languages are in both catalogues. Any other English word would be a missing translation.
    for (const activity of CORPUS)
      for (const verbosity of VERBOSITIES) {
        const told = wordsForLanguage("de")(activity, verbosity, "de");
        const theirs = new Set(wordsIn(JSON.stringify(activity)));
        const ours = [told?.verb ?? "", ...(told?.segments ?? []).filter((one) => one.language === "de").map(({ text }) => text)];
        const left = wordsIn(ours.join(" ")).filter((word) => english.has(word) && !theirs.has(word));
        expect(left, `${ours.join(" ")} ${JSON.stringify(activity)}`).toEqual([]);
      }
  });

  test("shares no words with English but those that are the same in both", () => {
    const english = vocabularyOf(ENGLISH);
    expect([...vocabularyOf(GERMAN)].filter((word) => english.has(word)).sort()).toEqual(SHARED);
  });

  test("conjugates what splits off and what does not", () => {
    expect(GERMAN.actions.test()).toEqual({
      does: "führt die Tests aus",
      done: "die Tests ausgeführt",
      infinitive: "die Tests ausführen",
      not: "die Tests nicht ausführen",
      to: "die Tests auszuführen",
    });
    expect(GERMAN.actions.read("cart.ts").to).toBe("cart.ts zu lesen");
  });

  test("splits a part off only where the infinitive begins with it", () => {
    for (const [name, action] of Object.entries(GERMAN.actions)) {
      const { does, infinitive, to } = action("X");
      const particle = to.includes(" zu ") ? "" : (does.split(" ").at(-1) ?? "");
      expect(infinitive.split(" ").at(-1)?.startsWith(particle), name).toBe(true);
    }
  });

  test.each<[Activity, string]>([
    [sampleActivity("tool.started", { tool: "Bash", input: { command: "npm test" } }), "führt die Tests aus"],
    [
      sampleActivity("tool.started", { tool: "apply_patch", input: { patch: "*** Begin Patch\n*** Update File: src/cart.ts\n+a\n" } }),
      "bearbeitet cart.ts | 1 Zeile.",
    ],
    [
      sampleActivity("tool.ended", { tool: "Bash", input: { command: "npm ci" }, outcome: "failed", error: "kaputt" }),
      "bekam einen Fehler beim Versuch, Pakete zu installieren | kaputt.",
    ],
    [sampleActivity("tool.ended", { tool: "Read", input: { path: "a.ts" }, outcome: "denied" }), "darf a.ts nicht lesen"],
    [sampleActivity("session.closed", { outcome: "cancelled", by: "user" }), "wurde durch einen Menschen abgebrochen"],
    [sampleActivity("session.closed", { outcome: "completed", costUsd: { value: 0.03, counts: "total" } }), "ist fertig | Kosten: 3 Cent."],
    [
      sampleActivity("request.asked", { request: "confirmation", prompt: "Löschen?", reversible: false, timeoutMs: 120_000 }),
      "fragt | Löschen? | Lässt sich nicht rückgängig machen. Du hast etwa zwei Minuten Zeit.",
    ],
  ])("%#", (activity, expected) => {
    const told = wordsForLanguage("de")(activity, "normal", "de");
    expect([told?.verb, ...(told?.segments ?? []).map(({ text }) => text)].join(" | ")).toBe(expected);
  });
});

function vocabularyOf(catalogue: Catalogue): Set<string> {
  const { requests: _requests, ...others } = catalogue;
  const texts = stringsOf(others).map(({ text }) => text);
  return new Set(wordsIn(texts.join(" ").replaceAll(/\{\w+\}/g, " ")));
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/\p{L}{2,}/gu) ?? [];
}
