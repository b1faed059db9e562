import { type IncomingEvent, type PromptReply, readPrompt, toReplyMessage } from "@earshot/aaep";
import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import { isTerminalType } from "@earshot/protocol/aaep-names";
import type { Ledger } from "../ledger/ledger.ts";
import type { RequestAnswer } from "../requests/answer.ts";
import type { RequestEngine } from "../requests/engine.ts";
import type { HeldRequest } from "../requests/held-request.ts";
import type { RequestEnding } from "../requests/machine-types.ts";

export interface CarriedRepliesPorts {
  readonly ledger: Pick<Ledger, "read">;
  readonly engine: Pick<RequestEngine, "release">;
  /** False if it may not have arrived. */
  readonly send: (message: object) => Promise<boolean>;
  readonly isConnected: () => boolean;
  readonly subscriptionId: () => string;
  /** Whether a sent message is known to have arrived; otherwise only the producer's next events tell. */
  readonly isAcknowledged: boolean;
  readonly now: () => number;
  readonly onFailure: (error: unknown) => void;
}

interface Carried {
  readonly held: HeldRequest;
  readonly question: JsonObject;
  readonly until: number;
}

/** Producers keep their own time: an answer shortly after the hub's deadline may still count. */
const AFTER_MS = 10_000;
const MAX_WAITING_REPLIES = 500;

/**
 * Answers on their way to a producer. Sent on connection and repeated after a lost one, until they are known to have arrived or the
 * producer no longer waits. A token is used once, so repetition is harmless.
 */
export class CarriedReplies {
  readonly #ports: CarriedRepliesPorts;
  readonly #waiting = new Map<string, Carried>();
  #sending: Promise<void> = Promise.resolve();

  constructor(ports: CarriedRepliesPorts) {
    this.#ports = ports;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** A request of this producer was settled on disk. */
  async carry(held: HeldRequest): Promise<void> {
    const { settlement } = held.machine;
    const { row } = held;
    if (settlement === null || row === undefined || toCarriedReply(settlement, settlement.answer) === undefined) return;
    const question = await this.#read(row.position);
    if (question === undefined || this.#waiting.size >= MAX_WAITING_REPLIES) return;
    const until = (row.deadlineAt ?? Number.POSITIVE_INFINITY) + AFTER_MS;
    this.#waiting.set(held.id, { held, question, until });
    await this.flush();
  }

  /** Sends waiting answers in order of decision. */
  flush(): Promise<void> {
    this.#sending = this.#sending.then(() => this.#flush()).catch(this.#ports.onFailure);
    return this.#sending;
  }

  /** The producer's next events show that it has the answer or no longer waits. */
  handleEvent({ type, event, session, agent }: IncomingEvent): void {
    if (this.#waiting.size === 0) return;
    const isEnd = isTerminalType(type);
    const wentOn =
      type === "aaep:agent.state.changed" && event["from_state"] === "awaiting_input" && event["to_state"] !== "awaiting_input";
    if (!isEnd && !wentOn) return;
    for (const [id, { held }] of this.#waiting) {
      const { asked } = held.card;
      if (asked.session === session && (isEnd || asked.agent === agent)) this.#waiting.delete(id);
    }
  }

  async #flush(): Promise<void> {
    const { now, isConnected, isAcknowledged, send } = this.#ports;
    for (const [id, carried] of [...this.#waiting]) {
      if (carried.until <= now()) this.#waiting.delete(id);
      if (carried.until <= now() || !isConnected()) continue;
      const message = this.#toMessage(carried);
      if (message === undefined) this.#waiting.delete(id);
      else if ((await send(message)) && isAcknowledged) this.#waiting.delete(id);
    }
  }

  #toMessage({ held, question }: Carried): object | undefined {
    const { engine, subscriptionId, now, onFailure } = this.#ports;
    const { session, agent } = held.card.asked;
    const prompt = readPrompt({ event: question, type: String(question["type"]), session, agent }, 0, 0);
    const released = engine.release(held);
    if (prompt === undefined || released === undefined) return undefined;
    // The released answer may be less than the decided one, never more.
    const reply: PromptReply | undefined = toCarriedReply(released.ending, released.answer);
    try {
      return reply === undefined
        ? undefined
        : toReplyMessage(prompt, reply, { subscriptionId: subscriptionId(), now: held.decidedAt ?? now() });
    } catch (error) {
      onFailure(error);
      return undefined;
    }
  }

  /** The producer's original question with its own token. */
  async #read(position: number): Promise<JsonObject | undefined> {
    const { entries } = await this.#ports.ledger.read({ after: position - 1, limit: 1 });
    const [entry] = entries;
    if (entry?.position !== position) return undefined; // removed meanwhile
    const value = JSON.parse(entry.text) as JsonValue;
    return isObject(value) ? value : undefined;
  }
}

/**
 * The reply for a producer about the end of its question here; undefined for none. An acceptance is only sent for a person's or rule's
 * decision: without an answer, the producer's own default applies.
 */
export function toCarriedReply({ state, by, reason }: RequestEnding, answer: RequestAnswer): PromptReply | undefined {
  const decidedBy = whoDecided(state, by);
  if (decidedBy === undefined) return undefined;
  switch (answer.word) {
    case "accept":
      return state === "defaulted" ? undefined : { decision: "accept", decidedBy, ...rationale(answer, reason) };
    case "reject":
      return { decision: "reject", decidedBy, ...rationale(answer, reason) };
    case "respond": {
      const { response } = answer;
      const isPlain = typeof response === "string" || typeof response === "number" || typeof response === "boolean";
      return state === "defaulted" || !isPlain ? undefined : { response, decidedBy };
    }
    default:
      return undefined; // a handoff is acknowledged elsewhere: the protocol has no words for it
  }
}

function whoDecided(state: RequestEnding["state"], by: string): string | undefined {
  switch (state) {
    case "answered-by-person":
      return `user:${by}`;
    case "answered-by-policy":
      return `auto:${by.replace(/^policy: /, "policy:")}`;
    case "defaulted":
      return "auto:no_answer";
    case "withdrawn":
    case "orphaned":
      return undefined;
  }
}

function rationale({ message }: RequestAnswer, reason: string | undefined): { readonly rationale?: string } {
  const text = message ?? reason;
  return text === undefined || text === "" ? {} : { rationale: text };
}
