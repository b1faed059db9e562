import { isObject, type JsonValue } from "@earshot/protocol/json";
import type { Segment } from "../announce/announcement.ts";
import { callAloud, callDetails } from "../announce/call-words.ts";
import type { Conjugated } from "../announce/catalogue.ts";
import { fill, fillCounted } from "../announce/fill.ts";
import { tongueFor } from "../announce/languages.ts";
import { aboutAloud } from "../announce/quantities.ts";
import { type ReadCall, readCall } from "../announce/read-call.ts";
import { MOST_ASKED, MOST_WORDS, readAloud, spokenName, type Tongue, whoAloud } from "../announce/reading.ts";
import { capital, toSentence } from "../announce/sentence.ts";
import { cutToWords, toSpoken } from "../announce/speakable.ts";
import type { AskedAloud, EffectAloud, EffectOptions, InspectionAloud } from "./aloud.ts";
import { ENGLISH_REQUESTS, type RequestKey } from "./english-requests.ts";
import { exactAloud } from "./exact-aloud.ts";
import { exactOf } from "./exact-of.ts";
import { GERMAN_DANGERS } from "./german-dangers.ts";
import { GERMAN_REQUESTS } from "./german-requests.ts";
import { numberAnswers } from "./number-answers.ts";

type Words = Readonly<Record<RequestKey, string>>;
type Asked = AskedAloud["card"]["asked"];

interface Requests {
  readonly words: Words;
  /** The policy's sentences, by what they are in English. */
  readonly dangers: Readonly<Record<string, string>>;
}

const ENGLISH: Requests = { words: ENGLISH_REQUESTS, dangers: {} };
const REQUESTS: Readonly<Record<string, Requests>> = { en: ENGLISH, de: { words: GERMAN_REQUESTS, dangers: GERMAN_DANGERS } };
/** Told one by one; those that do harm come first. */
const MOST_EFFECTS = 3;
const LONGEST_PATH = 500;

/** What a request will do, to be heard, with its answers by number. See `EffectAloud`. */
export function effectAloud(request: AskedAloud, options: EffectOptions): EffectAloud {
  const tongue = tongueFor(options.language);
  const { language } = tongue.catalogue;
  const { words, dangers } = REQUESTS[language] ?? ENGLISH;
  const { asked } = request.card;
  const call = readCall({ tool: asked.title, ...serverOf(asked), ...(asked.input === undefined ? {} : { input: asked.input }) });
  const answers = numberAnswers(request, words, { rememberable: options.rememberable === true, tongue });
  const answersText = answers.length === 0 ? "" : `${answers.map(({ number, label }) => `${number} ${label}`).join(", ")}.`;
  const irreversible = asked.irreversible || request.inspection?.irreversible === true;
  const risk = worse(asked.risk, request.inspection?.risk);
  const own = (text: string | undefined): readonly Segment[] =>
    text === undefined || text === "" ? [] : [{ text: toSentence(text), language }];
  const segments = [
    ...whatSegments(request, { words, dangers, tongue, call, from: options.from }),
    ...own(risk === "high" ? tongue.catalogue.words.highRisk : undefined),
    ...own(irreversible ? tongue.catalogue.words.noWayBack : undefined),
    ...own(timeLeft(request.leftMs, tongue)),
    ...own(options.withAnswers === false ? undefined : answersText),
  ];
  return {
    segments,
    text: segments.map(({ text }) => text).join(" "),
    answers,
    answersText,
    exact: asked.kind === "permission" ? exactOf(asked.input, call) : (asked.said[0]?.text ?? asked.title),
    risky: irreversible || risk === "high",
  };
}

interface Telling extends Requests {
  readonly tongue: Tongue;
  readonly call: ReadCall;
  readonly from: string | undefined;
}

function whatSegments(request: AskedAloud, telling: Telling): readonly Segment[] {
  const { words, tongue, from } = telling;
  const { asked } = request.card;
  const { language } = tongue.catalogue;
  const wants = (action: string) => fill(from === undefined ? words.wants : words.wantsFrom, { from, do: action });
  const asks = () => fill(words.ownWords, { who: fill(from === undefined ? words.asks : words.asksFrom, { from }) });
  const said = readAloud(asked.fields?.[0]?.text || asked.said[0]?.text || asked.title, MOST_ASKED, tongue) ?? "";
  switch (asked.kind) {
    case "permission":
      return permission(request, telling, wants);
    case "confirmation":
    case "clarification": {
      const questions = asked.fields?.length ?? 1;
      return [
        { text: asks(), language },
        { text: toSentence(said) },
        ...(questions > 1 ? [{ text: fill(words.questions, { n: questions }), language }] : []),
      ];
    }
    case "handoff": {
      const target = asked.facts["target_kind"];
      const who = whoAloud(typeof target === "string" ? target : undefined, tongue);
      return [
        { text: toSentence(wants(fill(words.handOver, { who }))), language },
        { text: words.why, language },
        { text: toSentence(said) },
      ];
    }
  }
}

const MOMENTS = ["stop", "subagent-stop", "subagent-start", "compaction", "session-start"] as const;

function permission({ card, inspection }: AskedAloud, telling: Telling, wants: (action: string) => string): readonly Segment[] {
  const { words, tongue, call } = telling;
  const { language } = tongue.catalogue;
  const { asked } = card;
  const moment = String(asked.facts["moment"] ?? "action");
  if (moment === "prompt") {
    const prompt = readAloud(textOf(asked.input), MOST_ASKED, tongue) ?? "";
    return [{ text: wants(words.prompt), language }, { text: toSentence(prompt) }];
  }
  if (moment === "outcome") return [{ text: toSentence(wants(fill(words.outcome, { what: spokenName(asked.title, tongue) }))), language }];
  const named = MOMENTS.find((one) => one === moment);
  if (named !== undefined) return [{ text: toSentence(wants(words[named])), language }];
  const commands = inspection?.commands ?? [];
  const known = callAloud(call, { tool: asked.title, ...serverOf(asked), ...skillOf(asked) }, tongue);
  // Where somebody took the command apart, what was found is told instead of what its name suggests.
  const isTold = commands.length > 0;
  const [only, ...others] = language === "en" ? [] : commands;
  const action = only !== undefined && others.length === 0 ? commandAloud(only.text, tongue).do : isTold ? words.runCommand : known.do;
  // The policy's own sentences say with which rights and how many.
  const details = isTold && language === "en" ? [] : callDetails(call, isTold ? "terse" : "normal", tongue);
  return [
    { text: toSentence(wants(action)), language },
    ...details.flatMap((detail) => (detail === undefined ? [] : [{ text: toSentence(detail), language }])),
    ...outside(asked, call, telling),
    ...(inspection === undefined ? [] : inspected(inspection, telling)),
  ];
}

/** A file is told by its name: one that is not in the agent's own folder is told in full. */
function outside({ facts }: Asked, { paths, command }: ReadCall, { words, tongue }: Telling): readonly Segment[] {
  const { language } = tongue.catalogue;
  const workspace = isObject(facts["workspace"]) ? facts["workspace"] : {};
  const folders = [workspace["cwd"], workspace["project_path"]].filter((folder) => typeof folder === "string" && folder !== "");
  const isOutside = (path: string) =>
    /(?:^|[/\\])\.\.(?:[/\\]|$)/.test(path) ||
    (/^(?:[/\\~]|[A-Za-z]:)/.test(path) &&
      !folders.some((folder) => path.startsWith(`${String(folder)}/`) || path.startsWith(`${String(folder)}\\`)));
  const found = [...paths, ...(command?.paths ?? [])].filter(isOutside).slice(0, MOST_EFFECTS);
  return found.map((path) => ({
    text: toSentence(
      fill(folders.length === 0 ? words.inFull : words.outside, { path: exactAloud(path.slice(0, LONGEST_PATH), language) }),
    ),
    language,
  }));
}

/** What the policy found. Its sentences are English: those that are known in another language are said in it. */
function inspected(inspection: InspectionAloud, { words, dangers, tongue }: Telling): readonly Segment[] {
  const { language, words: general } = tongue.catalogue;
  const sorted = inspection.commands.toSorted((one, other) => other.dangers.length - one.dangers.length);
  // A single one is told already, unless by the policy's own sentence.
  const told = sorted.length === 1 && language !== "en" ? [] : sorted.slice(0, MOST_EFFECTS);
  const more = told.length === 0 ? 0 : sorted.length - told.length;
  const ours = (text: string): Segment => ({ text: toSentence(text), language });
  const theirs = (text: string): Segment => {
    const known = Object.hasOwn(dangers, text) ? dangers[text] : undefined;
    if (known !== undefined) return ours(known);
    return { text: toSentence(cutToWords(toSpoken(text, tongue.phrases), MOST_WORDS.detailed).text), language: "en" };
  };
  return [
    ...told.map(({ text, effect }) => (language === "en" ? theirs(effect) : ours(capital(commandAloud(text, tongue).does)))),
    ...(more > 0 ? [ours(fillCounted(general.moreCommands, more, { n: more }))] : []),
    ...(inspection.dangers.length > 0 ? [ours(words.warning), ...inspection.dangers.slice(0, MOST_EFFECTS).map(theirs)] : []),
    ...(inspection.uninspectable === undefined ? [] : [ours(words.uninspectable)]),
    ...(inspection.hidden.length > 0 ? [ours(words.hidden)] : []),
  ];
}

/** What one simple command does: its wrappers are taken off, so that its name tells. */
function commandAloud(command: string, tongue: Tongue): Conjugated {
  return callAloud(readCall({ tool: "bash", input: { command } }), {}, tongue);
}

function timeLeft(ms: number | null | undefined, { catalogue }: Tongue): string | undefined {
  return ms === null || ms === undefined ? undefined : fill(catalogue.words.youHave, { what: aboutAloud(ms, catalogue) });
}

function worse(one: Asked["risk"], other: Asked["risk"] | undefined): Asked["risk"] {
  const ranks = ["unknown", "low", "medium", "high"] as const;
  return other !== undefined && ranks.indexOf(other) > ranks.indexOf(one) ? other : one;
}

function serverOf({ facts }: Asked): { readonly server?: string } {
  const server = nameIn(facts["server"]);
  return server === undefined ? {} : { server };
}

function skillOf({ facts }: Asked): { readonly name?: string } {
  const name = nameIn(facts["skill"]);
  return name === undefined ? {} : { name };
}

function nameIn(value: JsonValue | undefined): string | undefined {
  const name = isObject(value) ? (value["name"] ?? value["id"]) : undefined;
  return typeof name === "string" && name !== "" ? name : undefined;
}

function textOf(input: JsonValue | undefined): string {
  if (typeof input === "string") return input;
  if (Array.isArray(input)) return input.map((part) => (isObject(part) ? String(part["text"] ?? part["value"] ?? "") : "")).join("\n");
  return input === undefined ? "" : JSON.stringify(input);
}
