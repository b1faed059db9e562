import type { PolicyInput } from "@earshot/policy";
import { isObject, type JsonObject } from "@earshot/protocol";
import type { LedgerHistory } from "../ledger/history.ts";
import type { LedgerEntry } from "../ledger/ledger.ts";
import type { StoredRequest } from "../request.ts";
import type { AnswerWordName } from "../requests/answer.ts";
import { momentOfRequest, parseObject, toRuleInput } from "./read-payload.ts";

/** An action or question that an agent recorded before it happened, with its result. */
export interface PastAsk {
  readonly position: number;
  readonly receivedAt: number;
  readonly session: string;
  readonly sessionKey: number;
  readonly type: string;
  readonly agent: string;
  /** The questions given to the rules, in order: an action may be announced first and asked about later. */
  readonly asked: readonly PolicyInput[];
  /** The event, used to describe the ask. */
  readonly event: JsonObject;
  readonly past: PastOutcome;
}

/**
 * The result. `person`: a person answered. `silence`: a person was asked and did not answer. `elsewhere`: answered in the agent's own
 * prompt, or withdrawn. `rule`: a rule answered. `agent`: nobody was asked in Earshot.
 */
export interface PastOutcome {
  readonly how: "person" | "silence" | "elsewhere" | "rule" | "agent";
  /** The rule's name, for `rule`. */
  readonly by?: string;
  readonly word?: AnswerWordName;
  /** The outcome the agent reported. */
  readonly outcome?: "completed" | "failed" | "denied";
}

const YES: ReadonlySet<string> = new Set(["allow", "accept", "continue", "take-over", "respond"]);
const NO: ReadonlySet<string> = new Set(["deny", "reject", "block", "stop", "decline"]);

export function isYes(word: AnswerWordName | undefined): boolean {
  return word !== undefined && YES.has(word);
}

export function isNo(word: AnswerWordName | undefined): boolean {
  return word !== undefined && NO.has(word);
}

export interface PastAsksOptions {
  /** Only entries after this position. */
  readonly from?: number;
  /** Only entries received since then, in milliseconds. */
  readonly since?: number;
  readonly session?: string;
  /** Called with the fraction read so far, from 0 to 1. */
  readonly onProgress?: (part: number) => void;
  /** Aborting throws the signal's reason. */
  readonly signal?: AbortSignal;
}

const PAGE_ENTRIES = 1000;
/** Positions examined by one step of `findBeginning`. */
const STEP_POSITIONS = 20_000;

/** Reads past asks and their results from a ledger, in one pass and in bounded memory. */
export async function* readPastAsks(history: LedgerHistory, options: PastAsksOptions): AsyncGenerator<PastAsk> {
  const { from = 0, since = 0, session, onProgress, signal } = options;
  const head = await history.head();
  const requests = new RequestCursor(history, from);
  const join = new AskJoin();
  const filter = { type: READ_TYPES, ...(session === undefined ? {} : { session }) };
  for (let after = from; after < head; ) {
    const { entries, upTo } = await history.read({ after, limit: PAGE_ENTRIES, filter });
    for (const entry of entries) {
      if (entry.receivedAt < since) continue;
      const ended = join.apply(entry, entry.kind === "event" ? await requests.at(entry.position) : undefined);
      if (ended !== undefined) yield ended;
    }
    if (upTo === after) break;
    after = upTo;
    onProgress?.((after - from) / (head - from));
    await new Promise((resolve) => setImmediate(resolve)); // lets the signal fire
    signal?.throwIfAborted();
  }
  yield* join.rest();
}

/**
 * The position after which the last `count` asks were recorded, looking back a limited number of positions; 0 when that covers
 * everything. An action announced twice counts twice.
 */
export async function findBeginning(
  history: LedgerHistory,
  { asks, lookedAt, signal }: { readonly asks: number; readonly lookedAt: number; readonly signal?: AbortSignal },
): Promise<number> {
  const head = await history.head();
  const earliest = Math.max(0, head - lookedAt);
  let found = 0;
  for (let upTo = head; upTo > earliest; upTo -= STEP_POSITIONS) {
    const after = Math.max(earliest, upTo - STEP_POSITIONS);
    const positions = await history.lastOf({ after, upTo, types: ASKS, limit: asks - found });
    found += positions.length;
    if (found >= asks) return (positions.at(-1) ?? upTo) - 1;
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
  }
  return earliest;
}

/** Iterates over requests in the order of the entries that opened them. */
class RequestCursor {
  readonly #history: LedgerHistory;
  #page: readonly StoredRequest[] = [];
  #next = 0;
  #after: number;
  #isEnd = false;

  constructor(history: LedgerHistory, after: number) {
    this.#history = history;
    this.#after = after;
  }

  /** The request opened by the entry at this position. Positions must be passed in ascending order. */
  async at(position: number): Promise<StoredRequest | undefined> {
    for (;;) {
      const request = this.#page[this.#next];
      if (request === undefined) {
        if (this.#isEnd) return undefined;
        this.#page = await this.#history.requests({ after: this.#after, limit: PAGE_ENTRIES });
        this.#next = 0;
        this.#after = this.#page.at(-1)?.position ?? this.#after;
        this.#isEnd = this.#page.length < PAGE_ENTRIES;
        if (this.#page.length === 0) return undefined;
      } else if (request.position < position) this.#next++;
      else return request.position === position ? request : undefined;
    }
  }
}

/** Event types that rules decide while an agent waits. */
const ASKS = [
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

/** Entry types that `AskJoin` reads. */
const READ_TYPES: readonly string[] = [...ASKS, ...Object.keys(OUTCOMES), "decision"];

/** Maximum number of asks without a result; beyond it, the oldest are returned without one. */
const MAX_OPEN_ASKS = 50_000;
/** Further announcements of the same action add nothing. */
const MAX_SHOWN_TIMES = 4;

interface Open {
  readonly entry: LedgerEntry;
  readonly event: JsonObject;
  readonly asked: PolicyInput[];
  past: PastOutcome;
}

/** Joins asks, decisions and results by the id of their action. */
export class AskJoin {
  readonly #open = new Map<string, Open>();
  readonly #byRequest = new Map<string, string>();

  /** Applies the next entry and the request it opened. Returns an ask whose result is now known. */
  apply(entry: LedgerEntry, request: StoredRequest | undefined): PastAsk | undefined {
    const event = parseObject(entry.text);
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

  /** The asks without a result. */
  *rest(): Generator<PastAsk> {
    for (const one of this.#open.values()) yield toPastAsk(one);
  }

  #asked(key: string, entry: LedgerEntry, event: JsonObject, request: StoredRequest | undefined): PastAsk | undefined {
    const asked = toRuleInput(entry.type, event, request !== undefined && momentOfRequest(request) === "permission");
    if (asked === undefined) return undefined;
    const one: Open = this.#open.get(key) ?? { entry, event, asked: [], past: { how: "agent" } };
    this.#open.set(key, one);
    if (one.asked.length < MAX_SHOWN_TIMES) one.asked.push(asked);
    if (request !== undefined) {
      this.#byRequest.set(request.id, key);
      one.past = { how: "elsewhere" }; // until its decision is read
    }
    const [oldest] = this.#open;
    if (this.#open.size <= MAX_OPEN_ASKS || oldest === undefined) return undefined;
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

function keyOf({ sessionKey, position }: LedgerEntry, event: JsonObject): string {
  const action = isObject(event["action"]) ? event["action"]["id"] : undefined;
  return typeof action === "string" && action !== "" ? `${sessionKey} ${action}` : `at ${position}`;
}

function outcomeOf(type: string): PastOutcome["outcome"] {
  return Object.hasOwn(OUTCOMES, type) ? OUTCOMES[type as keyof typeof OUTCOMES] : undefined;
}

const HOW: Readonly<Record<string, PastOutcome["how"]>> = {
  "answered-by-person": "person",
  "answered-by-policy": "rule",
  defaulted: "silence",
  orphaned: "silence",
  withdrawn: "elsewhere",
};

function settled({ state, by, answer }: JsonObject): Partial<PastOutcome> {
  const how = HOW[String(state)];
  if (how === undefined) return {};
  const said = typeof answer === "string" ? parseObject(answer) : undefined;
  return { how, by: String(by).replace(/^policy: /, ""), ...(said === undefined ? {} : { word: String(said["word"]) as AnswerWordName }) };
}
