import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import { EARSHOT_PREFIX } from "../extension.ts";
import { matchLanguage } from "../producer/match-language.ts";
import type { AaepVerbosity } from "../terms.ts";

const SUMMARY = /^summary_(?<level>terse|normal|detailed)(?:[_-](?<language>[A-Za-z]{1,8}(?:[_-][A-Za-z0-9]{1,8})*))?$/u;
/** Further texts for people that exist only in the event's own language. */
const OTHER_WORDS = [
  ...["action", "consequence", "question", "choices", "context", "default_response", "reason", "remediation_hint", "error_message"],
  ...["description", "args_summary", "request_text", "output_summary", "partial_result"],
];
/** The replacement for a missing summary. */
const ORDER: Readonly<Record<AaepVerbosity, readonly AaepVerbosity[]>> = {
  terse: ["terse", "normal", "detailed"],
  normal: ["normal", "terse", "detailed"],
  detailed: ["detailed", "normal", "terse"],
};

type Summaries = Partial<Record<AaepVerbosity, string>>;

/** The languages an event is available in; the first is its own. */
export interface SummaryVariants {
  readonly languages: readonly string[];
  readonly own: Summaries;
  readonly others: ReadonlyMap<string, Summaries>;
  /** The producer's fallback languages, by preference. */
  readonly fallbacks: readonly string[];
}

/**
 * The summaries of an event: its own, and those in other languages in fields with a language tag (`summary_normal_de`) or under
 * `extensions.earshot.variants`. Undefined without a choice.
 */
export function readSummaryVariants(event: JsonObject): SummaryVariants | undefined {
  const own: Summaries = {};
  const others = new Map<string, Summaries>();
  for (const [name, value] of Object.entries(event)) {
    if (typeof value !== "string" || !name.startsWith("summary_")) continue;
    const found = SUMMARY.exec(name)?.groups;
    const level = readLevel(found?.["level"]);
    if (level === undefined) continue;
    const language = found?.["language"]?.replaceAll("_", "-");
    if (language === undefined) own[level] = value;
    else summariesIn(others, language)[level] = value;
  }
  readVariants(event, others);
  if (others.size === 0 && Object.keys(own).length === 0) return undefined;
  const hints = event["localization_hints"];
  const primary = isObject(hints) && typeof hints["primary_language"] === "string" ? hints["primary_language"] : "";
  const chain = isObject(hints) ? hints["fallback_chain"] : undefined;
  return {
    languages: [primary, ...others.keys()],
    own,
    others,
    fallbacks: Array.isArray(chain) ? chain.filter((tag): tag is string => typeof tag === "string") : [],
  };
}

/** The language to use for an event: the subscriber's first available preference, else the producer's fallback, else its own. */
export function chooseLanguage({ languages, fallbacks, others }: SummaryVariants, preferred: readonly string[]): string | undefined {
  if (others.size === 0) return undefined;
  for (const asked of [...preferred, ...fallbacks]) {
    const found = matchLanguage(asked, languages);
    if (found !== undefined) return found === languages[0] ? undefined : found;
  }
  return undefined;
}

/** The event with the preferred summary and the normal one, which schemas require; others are removed. */
export function withSummary(
  event: JsonObject,
  wording: SummaryVariants,
  verbosity: AaepVerbosity,
  language: string | undefined,
): JsonObject {
  const summaries = (language === undefined ? undefined : wording.others.get(language)) ?? wording.own;
  const chosen = ORDER[verbosity].find((level) => summaries[level] !== undefined);
  const kept: [string, string][] = [];
  for (const level of ORDER.terse) {
    const text = summaries[level] ?? (level === "normal" ? wording.own.normal : undefined);
    if (text !== undefined && (level === chosen || level === "normal")) kept.push([`summary_${level}`, text]);
  }
  const changed: Record<string, JsonValue | undefined> = Object.fromEntries(Object.entries(event).filter(([name]) => !SUMMARY.test(name)));
  for (const [name, text] of kept) changed[name] = text;
  if (chosen !== undefined && chosen !== (event["verbosity"] ?? "normal")) changed["verbosity"] = chosen;
  if (language !== undefined && !hasOtherWords(event))
    changed["localization_hints"] = inLanguage(objectOr(event["localization_hints"]), language);
  return changed;
}

/** The hints keep describing these texts, which matter more than their summary. */
function hasOtherWords(event: JsonObject): boolean {
  return OTHER_WORDS.some((name) => event[name] !== undefined) || objectOr(event["progress"])["description"] !== undefined;
}

/** Script and direction belonged to the event's own language. */
function inLanguage({ script: _, ...hints }: JsonObject, language: string): JsonObject {
  return { ...hints, primary_language: language, ...(hints["text_direction"] === undefined ? {} : { text_direction: "auto" }) };
}

function readVariants(event: JsonObject, others: Map<string, Summaries>): void {
  const ours = objectOr(objectOr(event["extensions"])[EARSHOT_PREFIX]);
  for (const [language, texts] of Object.entries(objectOr(ours["variants"]))) {
    for (const [name, text] of Object.entries(objectOr(texts))) {
      const level = readLevel(/^summary_(\w+)$/u.exec(name)?.[1]);
      if (level !== undefined && typeof text === "string") summariesIn(others, language)[level] = text;
    }
  }
}

/** The event without its texts in other languages. */
export function withoutVariants(event: JsonObject): JsonObject {
  const extensions = objectOr(event["extensions"]);
  const ours = objectOr(extensions[EARSHOT_PREFIX]);
  if (ours["variants"] === undefined) return event;
  const { variants: _, ...rest } = ours;
  return { ...event, extensions: { ...extensions, [EARSHOT_PREFIX]: rest } };
}

function summariesIn(others: Map<string, Summaries>, language: string): Summaries {
  let found = others.get(language);
  if (found === undefined) {
    found = {};
    others.set(language, found);
  }
  return found;
}

function readLevel(text: string | undefined): AaepVerbosity | undefined {
  return text === "terse" || text === "normal" || text === "detailed" ? text : undefined;
}

const NOTHING: JsonObject = {};

function objectOr(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : NOTHING;
}
