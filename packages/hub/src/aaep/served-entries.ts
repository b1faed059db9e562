import { createHmac } from "node:crypto";
import { type FeedEvent, toFeedEvent } from "@earshot/aaep";
import { isObject, type JsonObject } from "@earshot/protocol";
import { isTerminalType } from "@earshot/protocol/aaep-names";
import type { Ledger, LedgerEntry } from "../ledger/ledger.ts";
import type { StoredRequest } from "../request.ts";
import type { RequestCardData } from "../requests/card.ts";
import { toEnding } from "../requests/held-request.ts";
import { toResolution } from "./resolution.ts";

/** How far back the agent's state at the time of its question is searched. */
const LOOKED_BACK = 500;
const STATE_CHANGED = "agent.state.changed";
const QUESTIONS: ReadonlySet<string> = new Set(["agent.awaiting.confirmation", "agent.awaiting.clarification"]);

/**
 * Ledger entries as subscribers get them. Events are unchanged except for two members: the sequence number, because a filtered stream has
 * gaps, and the token of an open question, which is replaced by the hub's own. A decision becomes the end of its question. Imported
 * entries are not served. The same entry always gives the same event.
 */
export class ServedEntries {
  readonly #ledger: Pick<Ledger, "read" | "requests">;
  readonly #secret: string;

  /** `secret`: the key of request ids and of the tokens derived from them. */
  constructor(ledger: Pick<Ledger, "read" | "requests">, secret: string) {
    this.#ledger = ledger;
    this.#secret = secret;
  }

  async of(entries: readonly LedgerEntry[]): Promise<readonly FeedEvent[]> {
    const heard: FeedEvent[] = [];
    for (const entry of entries) {
      const event = entry.kind === "decision" ? await this.#resolutionOf(entry) : await this.#servedEvent(entry);
      if (event !== undefined) heard.push(toFeedEvent(entry.position, event));
    }
    return heard;
  }

  /** The request opened by an entry. */
  async requestOf({ type, kind, verified, session, sessionKey, position }: LedgerEntry): Promise<StoredRequest | undefined> {
    if (kind !== "event" || !verified || !QUESTIONS.has(type)) return undefined;
    const [request] = await this.#ledger.requests({ session, after: position - 1, limit: 1 });
    return request?.position === position && request.sessionKey === sessionKey ? request : undefined;
  }

  async #servedEvent(entry: LedgerEntry): Promise<JsonObject | undefined> {
    if (entry.kind !== "event" || entry.isHistory === true) return undefined;
    if (entry.protocol !== "aaep") return undefined; // other protocols are not translated
    const { sequence_number: _number, ...event } = parseEntryText(entry);
    const request = await this.requestOf(entry);
    return request === undefined ? event : { ...event, reply_token: replyTokenOf(request.id, this.#secret) };
  }

  async #resolutionOf(entry: LedgerEntry): Promise<JsonObject | undefined> {
    const [secret, ledger] = [this.#secret, this.#ledger];
    if (entry.type !== "decision") return undefined;
    const decision = parseEntryText(entry);
    const { state, by, answer } = toEnding(decision);
    // The agent has reported its own actions itself.
    if ((state === "withdrawn" && by === "hub") || state === "orphaned") return undefined;
    const [request] = await ledger.requests({ ids: [String(decision["request"])], limit: 1 });
    if (request === undefined || request.protocol !== "aaep") return undefined;
    const [asked] = (await ledger.read({ after: request.position - 1, limit: 1 })).entries;
    if (asked === undefined || asked.position !== request.position) return undefined;
    const agentState = await this.#agentStateAt(entry.position, request, asked);
    if (agentState === undefined) return undefined;
    return toResolution({
      eventId: ownEventId(entry.position, secret),
      token: replyTokenOf(request.id, secret),
      card: JSON.parse(request.card) as RequestCardData, // written by us, in this form
      question: parseEntryText(asked),
      agentState,
      afterMs: entry.receivedAt - asked.receivedAt,
      state,
      by,
      answer,
    });
  }

  /** The agent's last state; undefined if its session had ended. */
  async #agentStateAt(
    position: number,
    { session, kind, position: askedAt }: StoredRequest,
    { agent, sessionKey }: LedgerEntry,
  ): Promise<string | undefined> {
    const filter = { session, protocol: ["aaep"], type: [STATE_CHANGED, "agent.session.*"] } as const;
    let state = kind === "handoff" ? "handing_off" : "awaiting_input";
    for (let after = Math.max(0, askedAt - LOOKED_BACK); after < position; ) {
      const page = await this.#ledger.read({ after, limit: LOOKED_BACK, filter });
      for (const entry of page.entries) {
        if (entry.position >= position) return state;
        if (entry.sessionKey !== sessionKey || entry.kind !== "event") continue;
        if (isTerminalType(entry.type) && entry.position > askedAt) return undefined;
        const said = entry.type === STATE_CHANGED && entry.agent === agent ? parseEntryText(entry)["to_state"] : undefined;
        if (typeof said === "string") state = said;
      }
      if (page.upTo === after) return state;
      after = page.upTo;
    }
    return state;
  }
}

export function parseEntryText({ text }: Pick<LedgerEntry, "text">): JsonObject {
  const read: unknown = JSON.parse(text);
  return isObject(read) ? read : {};
}

/**
 * The id of an event the hub adds for one of its entries. It contains the position, so that resuming needs no stored state, and is
 * authenticated, so that agents cannot forge a resume position.
 */
export function ownEventId(position: number, secret: string): string {
  const seal = createHmac("sha256", secret).update(`aaep event ${position}`).digest("hex").slice(0, 32);
  return `evt_earshot${position}x${seal}`;
}

/** The position in an id made by this hub; undefined for others. */
export function ownPosition(eventId: string, secret: string): number | undefined {
  const [, digits] = /^evt_earshot(\d{1,16})x[\da-f]{32}$/.exec(eventId) ?? [];
  const position = Number(digits);
  return digits !== undefined && ownEventId(position, secret) === eventId ? position : undefined;
}

/**
 * The token for answering a request over AAEP: 128 unguessable bits. The agent's own token stays in the hub, because it may be guessable
 * or used twice. Derived from the request's id, so that it survives a restart.
 */
export function replyTokenOf(requestId: string, secret: string): string {
  return `rpl_${createHmac("sha256", secret).update(`aaep reply ${requestId}`).digest("hex").slice(0, 32)}`;
}
