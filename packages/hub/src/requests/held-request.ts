import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import type { Ledger } from "../ledger/ledger.ts";
import type { RuleInput } from "../policy/rules.ts";
import type { NewRequest, StoredRequest } from "../request.ts";
import { isAnswerWord, type RequestAnswer } from "./answer.ts";
import type { CardTerms, RequestCardData } from "./card.ts";
import { beginMachine, resumeMachine } from "./machine.ts";
import type { RequestEnding, RequestMachine } from "./machine-types.ts";
import { type RequestQuestion, toMachineTerms } from "./question.ts";

/** A request carried by this process, with its in-memory state. */
export interface HeldRequest {
  readonly id: string;
  readonly card: RequestCardData;
  readonly digest: string;
  readonly openedAt: number;
  /** Approximate memory use. */
  readonly sizeBytes: number;
  /** Identifies its session among all sources. */
  readonly scope: string;
  machine: RequestMachine;
  /** The stored row; undefined until it is on disk. */
  row: StoredRequest | undefined;
  /** The agent's unmasked input. Missing after a restart until the asker asks again, and long after the end. */
  raw: { readonly input: JsonValue | undefined } | undefined;
  /** The unmasked question for the rules, kept as long as `raw`. */
  put: RuleInput | undefined;
  /** A rule's replacement for the input. */
  updatedInput: JsonValue | undefined;
  /** The asking event, for AEP responses. */
  eventId: string;
  readonly waiting: Set<() => void>;
  decidedAt: number | undefined;
  decidedPosition: number | undefined;
  takenAt: number | undefined;
  outcome: string | undefined;
  /** The agent reported a question of its own about this. */
  isShownByAgent: boolean;
  alarm: string | undefined;
  /** Its session ended before it was stored: it is closed as soon as it is open. */
  hasSessionEnded?: true;
  /** Endings sent to the ledger without an answer, which it may have stored anyway. */
  unsure: readonly RequestEnding[];
  /** How far the ledger was searched for the aftermath; undefined if this process has heard everything. */
  recalled: { readonly pages: number; readonly position: number } | undefined;
}

/** The input of a request whose session has ended. */
export const SESSION_ENDED = { name: "closed", reason: "The session ended." } as const;

export function scopeOf(protocol: string, source: string, session: string): string {
  return JSON.stringify([protocol, source, session]);
}

/** The remains of a request whose session was removed. */
export const REMOVED_ENDING: RequestEnding = {
  state: "orphaned",
  digest: "",
  by: "hub",
  answer: { word: "abstain" },
  reason: "What was recorded about it is gone.",
};

export interface StoredEnding {
  readonly ending: RequestEnding;
  readonly at: number;
}

export interface AskMoment {
  readonly at: number;
  readonly eventId: string;
  readonly now: number;
  /** Of what was sent. */
  readonly sizeBytes: number;
}

/** A request about to be stored. */
export function createHeldRequest(question: RequestQuestion, request: NewRequest, asked: AskMoment): HeldRequest {
  const card: RequestCardData = { version: 1, asked: question.asked, terms: question.terms };
  const { protocol, source, session } = card.asked;
  return {
    ...blank(request, card, asked.at, beginMachine(toMachineTerms(request, card, asked.at), asked.now)),
    scope: scopeOf(protocol, source, session),
    raw: { input: question.raw },
    eventId: asked.eventId,
    sizeBytes: request.card.length + asked.sizeBytes,
  };
}

export interface WakingClock {
  /** Unix milliseconds. */
  readonly now: number;
  /** The clock for a request with these terms. */
  readonly timeOf: (terms: Pick<CardTerms, "polls">) => number;
}

/** A request loaded from the ledger. Unstored parts are missing: a polling asker has to send them again. */
export function loadHeldRequest(row: StoredRequest, clock: WakingClock): HeldRequest {
  const card = JSON.parse(row.card) as RequestCardData; // written by us, in this form
  const { deadlineAt } = row;
  const wallLeftMs = deadlineAt === null ? null : deadlineAt - clock.now;
  const machine = resumeMachine(toMachineTerms(row, card, row.openedAt), { wallLeftMs, now: clock.timeOf(card.terms) });
  return {
    ...blank(row, card, row.openedAt, machine),
    scope: scopeOf(row.protocol, row.source, row.session),
    row,
    sizeBytes: 2 * row.card.length,
    raw: card.terms.polls ? undefined : { input: undefined },
    recalled: { pages: 0, position: row.position - 1 },
  };
}

function blank(
  { id, digest }: Pick<NewRequest, "id" | "digest">,
  card: RequestCardData,
  openedAt: number,
  machine: RequestMachine,
): HeldRequest {
  return {
    id,
    card,
    digest,
    openedAt,
    sizeBytes: 0,
    scope: "",
    machine,
    row: undefined,
    raw: undefined,
    put: undefined,
    updatedInput: undefined,
    eventId: "",
    waiting: new Set(),
    decidedAt: undefined,
    decidedPosition: undefined,
    takenAt: undefined,
    outcome: undefined,
    isShownByAgent: false,
    unsure: [],
    alarm: undefined,
    recalled: undefined,
  };
}

/** How a request ended, from the settling entry. */
export async function readEnding(ledger: Pick<Ledger, "read">, position: number): Promise<StoredEnding> {
  const [entry] = (await ledger.read({ after: position - 1, limit: 1 })).entries;
  if (entry === undefined || entry.position !== position || entry.kind !== "decision") return { ending: REMOVED_ENDING, at: 0 };
  return { ending: toEnding(JSON.parse(entry.text) as JsonObject), at: entry.receivedAt };
}

/** A stored decision. */
export function toEnding({ state, digest, by, answer, reason }: JsonObject): RequestEnding {
  const read = JSON.parse(String(answer)) as JsonValue;
  const said: RequestAnswer = isObject(read) && isAnswerWord(read["word"]) ? (read as unknown as RequestAnswer) : { word: "abstain" };
  return {
    state: state as RequestEnding["state"],
    digest: String(digest),
    by: String(by),
    answer: said,
    ...(typeof reason === "string" ? { reason } : {}),
  };
}
