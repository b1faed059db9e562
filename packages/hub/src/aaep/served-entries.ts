import { createHmac } from "node:crypto";
import { type Heard, toHeard } from "@earshot/aaep";
import { isObject, type JsonObject } from "@earshot/protocol";
import { isTerminalType } from "@earshot/protocol/aaep-names";
import type { Entry, Ledger } from "../ledger/ledger.ts";
import type { Request } from "../request.ts";
import type { Card } from "../requests/card.ts";
import { toEnding } from "../requests/held-request.ts";
import { toResolution } from "./resolution.ts";

/** How far back it is looked in which state an agent was when it asked. */
const LOOKED_BACK = 500;
const STATE_CHANGED = "agent.state.changed";
const QUESTIONS: ReadonlySet<string> = new Set(["agent.awaiting.confirmation", "agent.awaiting.clarification"]);

/**
 * What subscribers hear of entries of the ledger. An event is served as it was stored, but for two members: its number in the
 * session, since what is filtered and merged has no numbers without gaps; and the token of a question that waits in the hub,
 * in place of which stands the hub's own. A decision is served as the end of its question. What was imported is not served: it
 * is no news. The same entry always gives the same event.
 */
export class ServedEntries {
  readonly #ledger: Pick<Ledger, "read" | "requests">;
  readonly #secret: string;

  /** `secret`: the key of request ids, hence of the tokens made from them. */
  constructor(ledger: Pick<Ledger, "read" | "requests">, secret: string) {
    this.#ledger = ledger;
    this.#secret = secret;
  }

  async of(entries: readonly Entry[]): Promise<readonly Heard[]> {
    const heard: Heard[] = [];
    for (const entry of entries) {
      const event = entry.kind === "decision" ? await this.#resolutionOf(entry) : await this.#servedEvent(entry);
      if (event !== undefined) heard.push(toHeard(entry.position, event));
    }
    return heard;
  }

  /** The request that an entry has opened. */
  async requestOf({ type, kind, verified, session, sessionKey, position }: Entry): Promise<Request | undefined> {
    if (kind !== "event" || !verified || !QUESTIONS.has(type)) return undefined;
    const [request] = await this.#ledger.requests({ session, after: position - 1, limit: 1 });
    return request?.position === position && request.sessionKey === sessionKey ? request : undefined;
  }

  async #servedEvent(entry: Entry): Promise<JsonObject | undefined> {
    if (entry.kind !== "event" || entry.isHistory === true) return undefined;
    if (entry.protocol !== "aaep") return undefined; // other protocols are not translated
    const { sequence_number: _number, ...event } = valueIn(entry);
    const request = await this.requestOf(entry);
    return request === undefined ? event : { ...event, reply_token: replyTokenOf(request.id, this.#secret) };
  }

  async #resolutionOf(entry: Entry): Promise<JsonObject | undefined> {
    const [secret, ledger] = [this.#secret, this.#ledger];
    if (entry.type !== "decision") return undefined;
    const decision = valueIn(entry);
    const { state, by, answer } = toEnding(decision);
    // What the agent did by itself it has told itself.
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
      card: JSON.parse(request.card) as Card, // written by us, in this form
      question: valueIn(asked),
      agentState,
      afterMs: entry.receivedAt - asked.receivedAt,
      state,
      by,
      answer,
    });
  }

  /** The state that an agent said last; undefined when its session has ended before. */
  async #agentStateAt(
    position: number,
    { session, kind, position: askedAt }: Request,
    { agent, sessionKey }: Entry,
  ): Promise<string | undefined> {
    const filter = { session, protocol: ["aaep"], type: [STATE_CHANGED, "agent.session.*"] } as const;
    let state = kind === "handoff" ? "handing_off" : "awaiting_input";
    for (let after = Math.max(0, askedAt - LOOKED_BACK); after < position; ) {
      const page = await this.#ledger.read({ after, limit: LOOKED_BACK, filter });
      for (const entry of page.entries) {
        if (entry.position >= position) return state;
        if (entry.sessionKey !== sessionKey || entry.kind !== "event") continue;
        if (isTerminalType(entry.type) && entry.position > askedAt) return undefined;
        const said = entry.type === STATE_CHANGED && entry.agent === agent ? valueIn(entry)["to_state"] : undefined;
        if (typeof said === "string") state = said;
      }
      if (page.upTo === after) return state;
      after = page.upTo;
    }
    return state;
  }
}

export function valueIn({ text }: Pick<Entry, "text">): JsonObject {
  const read: unknown = JSON.parse(text);
  return isObject(read) ? read : {};
}

/**
 * The id of an event that the hub adds for an entry of its own. It names the position, so that whoever resumes after it needs
 * no memory of the hub's; and cannot be made up by an agent to have others resume somewhere else.
 */
export function ownEventId(position: number, secret: string): string {
  const seal = createHmac("sha256", secret).update(`aaep event ${position}`).digest("hex").slice(0, 32);
  return `evt_earshot${position}x${seal}`;
}

/** The position in an id that this hub has made; undefined for all others. */
export function ownPosition(eventId: string, secret: string): number | undefined {
  const [, digits] = /^evt_earshot(\d{1,16})x[\da-f]{32}$/.exec(eventId) ?? [];
  const position = Number(digits);
  return digits !== undefined && ownEventId(position, secret) === eventId ? position : undefined;
}

/**
 * The token by which subscribers answer a request over AAEP: 128 bits that only this hub can make. The token that the agent
 * chose stays with the hub: two agents may have chosen the same one, and what an agent made up need not be hard to guess.
 * Made from the request's id, so that it is the same after a restart.
 */
export function replyTokenOf(requestId: string, secret: string): string {
  return `rpl_${createHmac("sha256", secret).update(`aaep reply ${requestId}`).digest("hex").slice(0, 32)}`;
}
