import { isObject, type JsonValue } from "@earshot/protocol/json";
import { capitalize } from "../amounts.ts";
import { type ReadCall, readToolCall } from "../calls/read-call.ts";
import { callDetails, conjugateCall } from "../sentences/call-words.ts";
import { languageWordsFor } from "../sentences/languages.ts";
import { approximateDuration } from "../sentences/quantities.ts";
import {
  type LanguageWords,
  MAX_QUESTION_WORDS,
  MAX_WORDS_BY_VERBOSITY,
  spokenBeginning,
  spokenName,
  spokenPerson,
} from "../sentences/reading.ts";
import { toSentence } from "../sentences/sentence.ts";
import { cutToWords, toSpoken } from "../sentences/speakable.ts";
import type { Segment } from "../sentences/words.ts";
import { spellExactly } from "../spelling/spell-exactly.ts";
import type { Catalogue } from "../words/catalogue.ts";
import type { Conjugated } from "../words/english-actions.ts";
import { assessRequest } from "./describe-request.ts";
import type {
  AskedRequest,
  NarratedDanger,
  NarratedInspection,
  NarratedRequest,
  NumberedAnswer,
  SpeakRequestOptions,
  SpokenRequest,
} from "./request.ts";
import { serverOf, skillOf } from "./request-facts.ts";

type Asked = AskedRequest;

/** Maximum effects named, harmful ones first. */
const MAX_EFFECTS = 3;
const LONGEST_PATH = 500;

/** Speaks a request with its numbered answers. See `SpokenRequest`. */
export function speakRequest(request: NarratedRequest, options: SpeakRequestOptions): SpokenRequest {
  const tongue = languageWordsFor(options.language);
  const { language } = tongue.catalogue;
  const words = tongue.catalogue.requests;
  const { asked } = request.card;
  const call = readToolCall({ tool: asked.title, ...serverOf(asked), ...(asked.input === undefined ? {} : { input: asked.input }) });
  const answers = numberAnswers(request, words, { rememberable: options.rememberable === true, tongue });
  const answersText = answers.length === 0 ? "" : `${answers.map(({ number, label }) => `${number} ${label}`).join(", ")}.`;
  const { risk, irreversible, risky, exact } = assessRequest(request);
  const own = (text: string | undefined): readonly Segment[] =>
    text === undefined || text === "" ? [] : [{ text: toSentence(text), language }];
  const segments = [
    ...whatSegments(request, { words, tongue, call, from: options.from }),
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
    exact,
    risky: risky !== undefined,
  };
}

interface Telling {
  readonly words: Catalogue["requests"];
  readonly tongue: LanguageWords;
  readonly call: ReadCall;
  readonly from: string | undefined;
}

function whatSegments(request: NarratedRequest, telling: Telling): readonly Segment[] {
  const { words, tongue, from } = telling;
  const { asked } = request.card;
  const { language } = tongue.catalogue;
  const wants = (action: string) => (from === undefined ? words.wants(action) : words.wantsFrom(from, action));
  const asks = () => words.ownWords(from === undefined ? words.asks : words.asksFrom(from));
  const said = spokenBeginning(asked.fields?.[0]?.text || asked.said[0]?.text || asked.title, MAX_QUESTION_WORDS, tongue) ?? "";
  switch (asked.kind) {
    case "permission":
      return permission(request, telling, wants);
    case "confirmation":
    case "clarification": {
      const questions = asked.fields?.length ?? 1;
      return [
        { text: asks(), language },
        { text: toSentence(said) },
        ...(questions > 1 ? [{ text: words.questions(questions), language }] : []),
      ];
    }
    case "handoff": {
      const target = asked.facts["target_kind"];
      const who = spokenPerson(typeof target === "string" ? target : undefined, tongue);
      return [{ text: toSentence(wants(words.handOver(who))), language }, { text: words.why, language }, { text: toSentence(said) }];
    }
  }
}

const MOMENTS = ["stop", "subagent-stop", "subagent-start", "compaction", "session-start"] as const;

function permission({ card, inspection }: NarratedRequest, telling: Telling, wants: (action: string) => string): readonly Segment[] {
  const { words, tongue, call } = telling;
  const { language } = tongue.catalogue;
  const { asked } = card;
  const moment = String(asked.facts["moment"] ?? "action");
  if (moment === "prompt") {
    const prompt = spokenBeginning(textOf(asked.input), MAX_QUESTION_WORDS, tongue) ?? "";
    return [{ text: wants(words.prompt), language }, { text: toSentence(prompt) }];
  }
  if (moment === "outcome") return [{ text: toSentence(wants(words.outcome(spokenName(asked.title, tongue)))), language }];
  const named = MOMENTS.find((one) => one === moment);
  if (named !== undefined) return [{ text: toSentence(wants(words[named])), language }];
  const commands = inspection?.commands ?? [];
  const known = conjugateCall(call, { tool: asked.title, ...serverOf(asked), ...skillOf(asked) }, tongue);
  // The policy's findings replace a guess from the command's name.
  const isTold = commands.length > 0;
  const [only, ...others] = language === "en" ? [] : commands;
  const action =
    only !== undefined && others.length === 0 ? commandAloud(only.text, tongue).infinitive : isTold ? words.runCommand : known.infinitive;
  // The policy's sentences include privileges and counts.
  const details = isTold && language === "en" ? [] : callDetails(call, isTold ? "terse" : "normal", tongue);
  return [
    { text: toSentence(wants(action)), language },
    ...details.flatMap((detail) => (detail === undefined ? [] : [{ text: toSentence(detail), language }])),
    ...outside(asked, call, telling),
    ...(inspection === undefined ? [] : inspected(inspection, telling)),
  ];
}

/** Names a file outside the agent's folder by its full path. */
function outside({ facts }: Asked, { paths, command }: ReadCall, { words, tongue }: Telling): readonly Segment[] {
  const { language } = tongue.catalogue;
  const workspace = isObject(facts["workspace"]) ? facts["workspace"] : {};
  const folders = [workspace["cwd"], workspace["project_path"]].filter((folder) => typeof folder === "string" && folder !== "");
  const isOutside = (path: string) =>
    /(?:^|[/\\])\.\.(?:[/\\]|$)/.test(path) ||
    (/^(?:[/\\~]|[A-Za-z]:)/.test(path) &&
      !folders.some((folder) => path.startsWith(`${String(folder)}/`) || path.startsWith(`${String(folder)}\\`)));
  const found = [...paths, ...(command?.paths ?? [])].filter(isOutside).slice(0, MAX_EFFECTS);
  return found.map((path) => ({
    text: toSentence((folders.length === 0 ? words.inFull : words.outside)(spellExactly(path.slice(0, LONGEST_PATH), language))),
    language,
  }));
}

/** The policy's findings. Dangers are translated by id; effects are English sentences of the policy. */
function inspected(inspection: NarratedInspection, { words, tongue }: Telling): readonly Segment[] {
  const { language, words: general, dangers } = tongue.catalogue;
  const sorted = inspection.commands.toSorted((one, other) => other.dangers.length - one.dangers.length);
  // A single effect was named already, unless by the policy's own sentence.
  const told = sorted.length === 1 && language !== "en" ? [] : sorted.slice(0, MAX_EFFECTS);
  const more = told.length === 0 ? 0 : sorted.length - told.length;
  const ours = (text: string): Segment => ({ text: toSentence(text), language });
  const theirs = (text: string): Segment => {
    return { text: toSentence(cutToWords(toSpoken(text, tongue.phrases), MAX_WORDS_BY_VERBOSITY.detailed).text), language: "en" };
  };
  const danger = ({ id, sentence }: NarratedDanger): Segment => {
    const known = Object.hasOwn(dangers, id) ? dangers[id] : undefined;
    return known === undefined ? theirs(sentence) : ours(known);
  };
  return [
    ...told.map(({ text, effect }) => (language === "en" ? theirs(effect) : ours(capitalize(commandAloud(text, tongue).does)))),
    ...(more > 0 ? [ours(general.moreCommands(more))] : []),
    ...(inspection.dangers.length > 0 ? [ours(words.warning), ...inspection.dangers.slice(0, MAX_EFFECTS).map(danger)] : []),
    ...(inspection.uninspectable === undefined ? [] : [ours(words.uninspectable)]),
    ...(inspection.hidden.length > 0 ? [ours(words.hidden)] : []),
  ];
}

/** The effect of one simple command without its wrappers. */
function commandAloud(command: string, tongue: LanguageWords): Conjugated {
  return conjugateCall(readToolCall({ tool: "bash", input: { command } }), {}, tongue);
}

function timeLeft(ms: number | null | undefined, { catalogue }: LanguageWords): string | undefined {
  return ms === null || ms === undefined ? undefined : catalogue.words.youHave(approximateDuration(ms, catalogue));
}

function textOf(input: JsonValue | undefined): string {
  if (typeof input === "string") return input;
  if (Array.isArray(input)) return input.map((part) => (isObject(part) ? String(part["text"] ?? part["value"] ?? "") : "")).join("\n");
  return input === undefined ? "" : JSON.stringify(input);
}

type AnswerKey = "allow" | "accept" | "continue" | "take-over" | "deny" | "reject" | "block" | "decline" | "stopIt" | "defer";

/** One key each. */
const MAX_ANSWERS = 9;

/** Order of the numbers. Yes always precedes no, so that a key never changes its meaning within a kind of request. */
const ORDER: readonly (readonly [word: string, key: AnswerKey])[] = [
  ["allow", "allow"],
  ["accept", "accept"],
  ["continue", "continue"],
  ["take-over", "take-over"],
  ["deny", "deny"],
  ["reject", "reject"],
  ["block", "block"],
  ["decline", "decline"],
  ["stop", "stopIt"],
  ["defer", "defer"],
];

/** Numbered answers: the choices of a question, or yes, no and others. */
function numberAnswers(
  { card }: NarratedRequest,
  words: Catalogue["requests"],
  { rememberable, tongue }: { readonly rememberable: boolean; readonly tongue: LanguageWords },
): readonly NumberedAnswer[] {
  const { choices, fields } = card.asked;
  const [field, ...others] = fields ?? [];
  // Several questions at once cannot share a number.
  const offered = others.length > 0 ? undefined : (field?.choices ?? choices);
  const answers: Omit<NumberedAnswer, "number">[] = [];
  if (card.terms.answers.includes("respond") && offered !== undefined) {
    for (const { value, label } of offered) {
      const spoken = spokenBeginning(label === "" ? value : label, MAX_WORDS_BY_VERBOSITY.terse, tongue) ?? words.respond;
      answers.push({ label: spoken, word: "respond", value, ...(field?.choices === undefined ? {} : { field: field.name }) });
    }
  }
  for (const [word, key] of ORDER) if (card.terms.answers.includes(word)) answers.push({ label: words[key], word });
  if (rememberable && card.terms.answers.includes("allow"))
    answers.push({ label: words["allow-session"], word: "allow", remember: "session" });
  return answers.slice(0, MAX_ANSWERS).map((answer, index) => ({ number: index + 1, ...answer }));
}
