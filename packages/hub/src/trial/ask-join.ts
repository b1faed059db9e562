import type { Asked } from "@earshot/policy";
import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import type { Entry } from "../ledger/ledger.ts";
import type { Request } from "../request.ts";
import type { Word } from "../requests/answer.ts";
import type { Past, PastAsk } from "./past-ask.ts";
import { putToRules } from "./put-to-rules.ts";

/** What puts something to the rules, while somebody waits for it. */
export const ASKS = [
  "action.requested",
  "prompt.submitted",
  "question.asked",
  "agent.stop",
  "subagent.start",
  "subagent.stop",
  "context.compacted",
  "session.start",
  "agent.awaiting.confirmation",
  "agent.handoff.requested",
] as const;
const OUTCOMES = { "action.completed": "completed", "action.failed": "failed", "action.denied": "denied" } as const;

/** Types of entries that it wants to hear. */
export const HEARD_TYPES: readonly string[] = [...ASKS, ...Object.keys(OUTCOMES), "decision"];

/** So many may be without an outcome at a time; the oldest are then told as they are. */
const MOST_OPEN = 50_000;
/** An action is shown once or twice; more often says nothing new. */
const MOST_TIMES = 4;

interface Open {
  readonly entry: Entry;
  readonly event: JsonObject;
  readonly asked: Asked[];
  past: Past;
}

/** Joins what was asked, how it was decided and what came of it, by the action that all of it is about. */
export class AskJoin {
  readonly #open = new Map<string, Open>();
  readonly #byRequest = new Map<string, string>();

  /** The next entry, with the request that it opened. Gives an ask of which everything is known. */
  hear(entry: Entry, request: Request | undefined): PastAsk | undefined {
    const event = parse(entry.text);
    if (event === undefined) return undefined;
    if (entry.kind === "decision") {
      this.#decided(event);
      return undefined;
    }
    if (entry.kind !== "event") return undefined;
    const key = keyOf(entry, event);
    const outcome = outcomeOf(entry.type);
    if (outcome === undefined) return this.#asked(key, entry, event, request);
    const known = this.#open.get(key);
    if (known === undefined) return undefined;
    this.#open.delete(key);
    return toPastAsk({ ...known, past: { ...known.past, outcome } });
  }

  /** Those of which no outcome was heard. */
  *rest(): Generator<PastAsk> {
    for (const one of this.#open.values()) yield toPastAsk(one);
  }

  #asked(key: string, entry: Entry, event: JsonObject, request: Request | undefined): PastAsk | undefined {
    const asked = putToRules(entry.type, event, request !== undefined && momentOf(request) === "permission");
    if (asked === undefined) return undefined;
    const one: Open = this.#open.get(key) ?? { entry, event, asked: [], past: { how: "agent" } };
    this.#open.set(key, one);
    if (one.asked.length < MOST_TIMES) one.asked.push(asked);
    if (request !== undefined) {
      this.#byRequest.set(request.id, key);
      one.past = { how: "elsewhere" }; // until its decision is read
    }
    const [oldest] = this.#open;
    if (this.#open.size <= MOST_OPEN || oldest === undefined) return undefined;
    this.#open.delete(oldest[0]);
    return toPastAsk(oldest[1]);
  }

  #decided(decision: JsonObject): void {
    const request = String(decision["request"]);
    const known = this.#open.get(this.#byRequest.get(request) ?? "");
    this.#byRequest.delete(request);
    if (known !== undefined) known.past = { ...known.past, ...settled(decision) };
  }
}

function toPastAsk({ entry, event, asked, past }: Open): PastAsk {
  const { position, receivedAt, session, sessionKey, type, agent } = entry;
  return { position, receivedAt, session, sessionKey, type, agent, asked, event, past };
}

function keyOf({ sessionKey, position }: Entry, event: JsonObject): string {
  const action = isObject(event["action"]) ? event["action"]["id"] : undefined;
  return typeof action === "string" && action !== "" ? `${sessionKey} ${action}` : `at ${position}`;
}

function outcomeOf(type: string): Past["outcome"] {
  return Object.hasOwn(OUTCOMES, type) ? OUTCOMES[type as keyof typeof OUTCOMES] : undefined;
}

const HOW: Readonly<Record<string, Past["how"]>> = {
  "answered-by-person": "person",
  "answered-by-policy": "rule",
  defaulted: "silence",
  orphaned: "silence",
  withdrawn: "elsewhere",
};

function settled({ state, by, answer }: JsonObject): Partial<Past> {
  const how = HOW[String(state)];
  if (how === undefined) return {};
  const said = typeof answer === "string" ? parse(answer) : undefined;
  return { how, by: String(by).replace(/^policy: /, ""), ...(said === undefined ? {} : { word: String(said["word"]) as Word }) };
}

/** At which moment a request was asked, as its card says. */
export function momentOf({ card }: Request): unknown {
  const asked = parse(card)?.["asked"];
  const facts = isObject(asked) ? asked["facts"] : undefined;
  return isObject(facts) ? facts["moment"] : undefined;
}

function parse(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // erased, or not of this version
  }
}
