import type { FeedEvent, SessionSummaryState } from "@earshot/aaep";
import { isObject } from "@earshot/protocol";
import type { Ledger } from "../ledger/ledger.ts";
import type { SessionView } from "../views/api.ts";
import type { Views } from "../views/views.ts";
import { parseEntryText, type ServedEntries } from "./served-entries.ts";

/** Maximum number of running sessions summarized, and of open questions repeated, for a new subscriber. */
const MAX_SUMMARIZED_SESSIONS = 50;
const MAX_ASKS = 200;
/** Older events do not determine an agent's state. */
const LOOKED_BACK = 2000;
const REMEMBERED = 1000;
/** How long to wait for the views; sessions they do not know yet keep their last state. */
const PATIENCE_MS = 2000;

interface Known {
  readonly state: string;
  readonly summary: string | undefined;
  readonly language: string | undefined;
  readonly position: number;
}

/** The state implied by events of a session that reports none. */
const IMPLIED: Readonly<Record<string, string>> = {
  "agent.tool.invoked": "calling_tool",
  "agent.output.streaming": "writing_output",
  "agent.awaiting.confirmation": "awaiting_input",
  "agent.awaiting.clarification": "awaiting_input",
  "agent.handoff.requested": "handing_off",
};

/** States of the running sessions, for subscribers that join midway. */
export class RunningSessions {
  readonly #ledger: Pick<Ledger, "read" | "requests" | "head">;
  readonly #views: Pick<Views, "sessions" | "caughtUp">;
  readonly #served: ServedEntries;
  /** By session, for events since a subscriber connected; the oldest are dropped. */
  readonly #known = new Map<string, Known>();

  constructor(ledger: Pick<Ledger, "read" | "requests" | "head">, views: Pick<Views, "sessions" | "caughtUp">, served: ServedEntries) {
    this.#ledger = ledger;
    this.#views = views;
    this.#served = served;
  }

  handle({ session, type, event, position }: FeedEvent): void {
    const state = stateIn(type.replace(/^aaep:/, ""), event);
    if (state === undefined) return;
    this.#known.delete(session);
    this.#known.set(session, { ...state, position });
    const [oldest] = this.#known.keys();
    if (this.#known.size > REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
  }

  async list(): Promise<readonly SessionSummaryState[]> {
    const [views, ledger] = [this.#views, this.#ledger];
    await views.caughtUp(await ledger.head(), AbortSignal.timeout(PATIENCE_MS)).catch(() => {});
    const { items } = await views.sessions({ protocol: ["aaep"], status: ["running", "waiting", "idle"], limit: MAX_SUMMARIZED_SESSIONS });
    const asks = await this.#asks();
    const all: SessionSummaryState[] = [];
    for (const view of items) {
      const known = this.#known.get(view.id) ?? (await this.#lookUp(view));
      if (known === "history") continue;
      const asked = asks.get(view.key);
      asks.delete(view.key);
      const summary = known?.summary ?? view.lastSummary;
      all.push({
        session: view.id,
        producer: { agent_id: view.agent },
        state: known?.state ?? (view.status === "waiting" ? "awaiting_input" : "thinking"),
        position: known?.position ?? view.lastPosition,
        ...(summary === undefined ? {} : { summary }),
        ...(known?.language === undefined ? {} : { language: known.language }),
        ...(asked === undefined ? {} : { asks: asked }),
      });
    }
    return [...all, ...[...asks.values()].flatMap(toAsking)];
  }

  /** Open questions by session. */
  async #asks(): Promise<Map<number, readonly FeedEvent[]>> {
    const [ledger, served] = [this.#ledger, this.#served];
    const asks = new Map<number, readonly FeedEvent[]>();
    for (const { protocol, position, sessionKey } of await ledger.requests({ state: "open", limit: MAX_ASKS })) {
      if (protocol !== "aaep") continue;
      const { entries } = await ledger.read({ after: position - 1, limit: 1 });
      const asked = await served.of(entries.filter((entry) => entry.position === position));
      asks.set(sessionKey, [...(asks.get(sessionKey) ?? []), ...asked]);
    }
    return asks;
  }

  /** `history`: imported, so inactive even if its end was not imported. */
  async #lookUp({ id, key, lastPosition }: SessionView): Promise<Known | "history" | undefined> {
    let known: Known | undefined;
    let isHistory = false;
    const filter = { session: id, protocol: ["aaep"] } as const;
    const after = Math.max(0, lastPosition - LOOKED_BACK);
    const { entries } = await this.#ledger.read({ after, limit: LOOKED_BACK, filter });
    for (const entry of entries) {
      if (entry.sessionKey !== key || entry.kind !== "event") continue;
      isHistory = entry.isHistory === true;
      const state = stateIn(entry.type, parseEntryText(entry));
      if (state !== undefined) known = { ...state, position: entry.position };
    }
    return isHistory ? "history" : known;
  }
}

/** An unknown session with an open question. */
function toAsking(asks: readonly FeedEvent[]): readonly SessionSummaryState[] {
  const last = asks.at(-1);
  if (last === undefined) return [];
  return [{ session: last.session, producer: { agent_id: last.agent }, state: "awaiting_input", position: last.position, asks }];
}

function stateIn(type: string, event: FeedEvent["event"]): Omit<Known, "position"> | undefined {
  const said = type === "agent.state.changed" ? event["to_state"] : IMPLIED[type];
  if (typeof said !== "string") return undefined;
  const summary = event["summary_normal"];
  const hints = event["localization_hints"];
  const language = isObject(hints) ? hints["primary_language"] : undefined;
  return {
    state: said,
    summary: typeof summary === "string" ? summary : undefined,
    language: typeof language === "string" ? language : undefined,
  };
}
