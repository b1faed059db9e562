import type { HookBehaviour } from "@earshot/policy";
import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import type { Submission } from "../ledger/ledger.ts";
import type { PersonRules } from "../policy/rules.ts";
import { type AnswerWordName, isConsent, type RequestAnswer } from "./answer.ts";
import { type AskedCard, type CardTerms, isRisky, MAX_TITLE_CHARACTERS, RESPONSE_KINDS, type ResponseKind } from "./card.ts";
import type { RequestQuestion } from "./question.ts";

/** How long before the producer's own deadline it is refused, if its own default would be a forbidden acceptance. */
const MARGIN_MS = 5000;
const MARGIN_SHARE = 5;

/**
 * The question of an AAEP event; undefined if it asks nothing or is over. Pure. The producer keeps the time, so it cannot be extended.
 */
export function readAaepQuestion({ source, kind, session, agent, reading, identity, receivedAt }: Submission): RequestQuestion | undefined {
  if (source.protocol !== "aaep" || kind !== "event" || identity === null) return undefined;
  const { value, type } = reading;
  const base = { protocol: "aaep", source: source.name, session, agent } as const;
  const question = QUESTIONS[type]?.(value, base);
  if (question === undefined) return undefined;
  const { asked, answers, silence } = question;
  const timeMs = timeOf(value, receivedAt, isRisky(asked) && isConsent(silence));
  if (timeMs !== null && timeMs <= 0) return undefined; // history: the agent no longer waits for it
  const terms: CardTerms = {
    answers,
    silence: { answer: silence, by: "asker" },
    moreTimeMs: 0,
    latestAt: timeMs === null ? null : receivedAt + timeMs,
    polls: false,
    besideDialog: false,
    because: "the agent asks",
    action: text(context(value), "tool_call_id") ?? null,
  };
  return { asked, terms, timeMs, identity };
}

type Base = Pick<AskedCard, "protocol" | "source" | "session" | "agent">;
interface Read {
  readonly asked: AskedCard;
  readonly answers: readonly AnswerWordName[];
  readonly silence: RequestAnswer;
}

const QUESTIONS: Readonly<Record<string, (value: JsonObject, base: Base) => Read>> = {
  "agent.awaiting.confirmation": (value, base) => {
    const irreversible = value["irreversible"] === true || value["reversibility"] === "irreversible";
    const said = value["risk_level"];
    // An unstated risk is low, except for irreversible actions.
    const risk = said === "low" || said === "medium" || said === "high" ? said : irreversible ? "high" : "low";
    const allowed = value["allowed_replies"];
    const answers = (["accept", "reject"] as const).filter((word) => !Array.isArray(allowed) || allowed.includes(word));
    return {
      asked: {
        ...base,
        kind: "confirmation",
        title: (text(context(value), "tool") ?? "confirmation").slice(0, MAX_TITLE_CHARACTERS),
        said: words(value, "action", "consequence", "summary_normal"),
        risk,
        irreversible,
        facts: facts({ ...value, extra_context: withoutIds(context(value)) }, "reversibility", "extra_context", "localization_hints"),
      },
      answers: answers.length === 0 ? ["reject"] : answers,
      silence: { word: value["default_decision"] === "accept" ? "accept" : "reject" },
    };
  },
  "agent.awaiting.clarification": (value, base) => {
    const response = value["default_response"];
    return {
      asked: {
        ...base,
        kind: "clarification",
        title: "question",
        said: words(value, "question", "context", "summary_normal"),
        responds: kinds(value["accepted_response_kinds"]),
        ...choices(value["choices"]),
        risk: "unknown",
        irreversible: false,
        facts: facts(value, "localization_hints"),
      },
      answers: ["respond"],
      silence: typeof response === "string" ? { word: "respond", response } : { word: "abstain" },
    };
  },
  "agent.handoff.requested": (value, base) => ({
    asked: {
      ...base,
      kind: "handoff",
      title: "handoff",
      said: words(value, "reason", "summary_normal"),
      risk: "unknown",
      irreversible: false,
      facts: facts(value, "target_kind", "target_uri", "urgency_for_handoff", "packaged_context", "localization_hints"),
    },
    answers: ["take-over", "decline"],
    silence: { word: "abstain" },
  }),
};

/** By the producer's clock unless that is ahead: a delayed question has less time left. */
function timeOf(value: JsonObject, receivedAt: number, isForbidden: boolean): number | null {
  const seconds = value["timeout_seconds"];
  if (typeof seconds !== "number" || !(seconds > 0)) return null;
  const saidAt = Date.parse(String(value["timestamp"]));
  const from = Number.isFinite(saidAt) ? Math.min(saidAt, receivedAt) : receivedAt;
  const margin = isForbidden ? Math.min(MARGIN_MS, (seconds * 1000) / MARGIN_SHARE) : 0;
  return Math.ceil(from + seconds * 1000 - margin - receivedAt);
}

function context(value: JsonObject): JsonObject {
  const more = value["extra_context"];
  return isObject(more) ? more : {};
}

/** The same question asked again has another call id. */
function withoutIds({ tool_call_id: _id, ...rest }: JsonObject): JsonObject {
  return rest;
}

function text(value: JsonObject, name: string): string | undefined {
  const found = value[name];
  return typeof found === "string" && found !== "" ? found : undefined;
}

function words(value: JsonObject, ...names: readonly string[]): AskedCard["said"] {
  return names.flatMap((name) => {
    const found = text(value, name);
    return found === undefined ? [] : [{ name, text: found }];
  });
}

function facts(value: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]])));
}

function kinds(value: JsonValue | undefined): readonly ResponseKind[] {
  const known = Array.isArray(value) ? RESPONSE_KINDS.filter((kind) => value.includes(kind)) : [];
  return known.length === 0 ? ["freetext"] : known;
}

function choices(value: JsonValue | undefined): Pick<AskedCard, "choices"> {
  if (!Array.isArray(value)) return {};
  const list = value.filter(isObject).map((one) => ({ value: String(one["value"]), label: String(one["label"]) }));
  return { choices: list };
}

/** The rules' answer to an AAEP agent's question; undefined if a person must decide. */
export function ruleOnAaep(
  { asked, terms }: { readonly asked: AskedCard; readonly terms: CardTerms },
  rules: PersonRules,
  attended: boolean,
): { readonly rule: string; readonly answer: RequestAnswer } | undefined {
  if (asked.kind === "clarification") return undefined;
  const { risk, irreversible, agent, session } = asked;
  const { behaviour, rule, message } = rules.judge({
    moment: asked.kind === "handoff" ? "handoff" : "confirmation",
    agent,
    session,
    ...(risk === "unknown" ? {} : { risk }),
    reversible: !irreversible,
    attended,
    said: asked.said.map(({ text }) => text).join("\n"),
  });
  const words: Partial<Record<HookBehaviour, AnswerWordName>> = { allow: "accept", deny: asked.kind === "handoff" ? "decline" : "reject" };
  const word = words[behaviour];
  if (word === undefined || rule === undefined || !terms.answers.includes(word)) return undefined;
  return { rule: rule.name, answer: { word, ...(message === undefined ? {} : { message }) } };
}
