import type { News, NewsKind, RequestView } from "@earshot/hub";
import type { Announcer, Notice } from "@earshot/sdk";
import type { Activity } from "@earshot/translate";
import type { LiveEntry } from "../hub/live.ts";
import { activitiesOf } from "./activities-of.ts";
import { deciderOf, inAWord, settlingOf, toAsking } from "./request-activity.ts";
import type { Sources } from "./sources.ts";

type Decided = Extract<Activity, { kind: "tool.decided" }>;

interface Known {
  /** As the announcer calls it. */
  readonly key: string;
  readonly deadlineAt: string | null;
}

export interface RequestDeskPorts {
  readonly announcer: Announcer;
  readonly sources: Sources;
  /** The name under which this browser decides. */
  readonly me: string;
}

const MOST_REMEMBERED = 512;

/** What is said of a request that is open. */
const MEANWHILE: Readonly<Partial<Record<NewsKind, readonly [Notice["topic"], string]>>> = {
  "half-time": ["other", "Half of the time to answer is over."],
  "last-call": ["request", "20 seconds left to answer."],
  unattended: ["other", "It does not wait for an answer any more."],
  attended: ["request", "It waits for an answer again."],
};

/**
 * What is heard from the ledger and what the hub says about requests, for the announcer as one. An AAEP event asks in its own words;
 * a coding agent only says what it is about to do, and it is the hub that makes a request of it. Both are known by the position of
 * the entry.
 */
export class RequestDesk {
  readonly #ports: RequestDeskPorts;
  /** By the position of the entry that asked. */
  readonly #keys = new Map<number, string>();
  readonly #known = new Map<string, Known>();
  /** The hub was faster than the ledger's own stream. */
  readonly #early = new Map<number, RequestView>();
  /** Those that have ended: what was asked of the hub before may be answered after it. */
  readonly #over = new Set<string>();
  /** Tools by their calls: what is decided about a call does not say which tool it is. */
  readonly #tools = new Map<string, string>();
  /** Calls that a request is about. */
  readonly #asked = new Set<string>();
  /** Decided by this browser: whoever did that knows. */
  readonly #own = new Set<string>();
  #heardUpTo = 0;

  constructor(ports: RequestDeskPorts) {
    this.#ports = ports;
  }

  hear(entry: LiveEntry, at: number): void {
    const { position } = entry;
    const early = this.#early.get(position);
    const replaces = early?.decision === null && entry.protocol === "aep";
    for (const activity of activitiesOf(entry)) {
      if (isAsking(activity) && (replaces || this.#keys.has(position))) continue;
      if ("callId" in activity && "tool" in activity && activity.tool !== "") this.#tools.set(callOf(activity), activity.tool ?? "");
      if (replaces && activity.kind === "tool.requested") continue;
      if (activity.kind === "tool.decided" && this.#isTold(activity)) continue;
      this.#hear(activity.kind === "tool.decided" ? this.#withTool(activity) : activity, at);
      if (isAsking(activity)) this.#remember(position, activity, at);
    }
    bound(this.#tools);
    this.heardUpTo(position, at);
  }

  /** Nothing up to here will be heard any more. */
  heardUpTo(position: number, at: number): void {
    this.#heardUpTo = Math.max(this.#heardUpTo, position);
    for (const [asked, view] of [...this.#early]) if (asked <= this.#heardUpTo) this.take(view, at);
  }

  /** Whether the hub has spoken about what was said there. */
  isKnown(position: number): boolean {
    return this.#early.has(position);
  }

  /** How the hub says that a request stands. `isHistory`: it was asked before this page listened. */
  take(view: RequestView, at: number, isHistory = false): void {
    const { id, position, decision, deadlineAt } = view;
    this.#early.delete(position);
    const key = this.#known.get(id)?.key ?? this.#keys.get(position);
    if (decision !== null) {
      if (key !== undefined) this.#settle(key, decision, at);
      this.#known.delete(id);
      this.#over.add(id);
    } else if (this.#over.has(id)) return;
    else if (key !== undefined) this.#keep(view, key, at);
    else if (isHistory || position <= this.#heardUpTo) {
      const asking = toAsking(view);
      this.#asked.add(callOf(asking));
      this.#hear(asking, at);
      const own = this.#remember(position, asking, at);
      if (own !== undefined) this.#known.set(id, { key: own, deadlineAt });
    } else this.#early.set(position, view);
    for (const kept of [this.#early, this.#known, this.#over, this.#asked]) bound(kept);
  }

  /** What happens to a request meanwhile. */
  tell({ what, text, session }: News, view: RequestView | undefined, at: number): void {
    const meanwhile = MEANWHILE[what];
    if (what === "alarm") this.#notice("guard-lost", text, session, at);
    else if (what === "refused" || what === "control") this.#notice("other", text, session, at);
    else if (meanwhile !== undefined && view?.decision === null) {
      const [topic, words] = meanwhile;
      this.#notice(topic, `${words} ${inAWord(view.card)}`, session, at);
    }
  }

  /** The ids of the open ones. */
  get open(): readonly string[] {
    return [...this.#known.keys()];
  }

  /** Whether this browser decided it. By the name that the announcer gives it. */
  isOwn(key: string): boolean {
    return this.#own.has(key);
  }

  /** What a hook was answered: the hub says it of the request, with who decided. */
  #isTold(decision: Decided): boolean {
    return (decision.verdict === "approved" || decision.verdict === "denied") && this.#asked.has(callOf(decision));
  }

  #withTool(decision: Decided): Decided {
    const tool = decision.tool ?? this.#tools.get(callOf(decision));
    return tool === undefined ? decision : { ...decision, tool };
  }

  #hear(activity: Activity, at: number): void {
    this.#ports.sources.hear(activity);
    this.#ports.announcer.hear(activity, at);
  }

  #notice(topic: Notice["topic"], text: string, session: string | null, at: number): void {
    const { announcer, sources } = this.#ports;
    const source = sources.find(session);
    announcer.notice(
      {
        topic,
        text,
        language: "en",
        ...(source === undefined ? {} : { agent: source.agent, session: source.session }),
        ...(source?.project === undefined ? {} : { project: source.project }),
      },
      at,
    );
  }

  #keep({ id, leftMs, deadlineAt }: RequestView, key: string, at: number): void {
    const before = this.#known.get(id);
    this.#known.set(id, { key, deadlineAt });
    if (before !== undefined && before.deadlineAt !== deadlineAt && leftMs !== null) this.#ports.announcer.extended(key, at + leftMs);
  }

  #settle(key: string, decision: NonNullable<RequestView["decision"]>, at: number): void {
    if (decision.by === this.#ports.me) {
      this.#own.add(key);
      bound(this.#own);
    }
    const by = deciderOf(decision);
    this.#ports.announcer.settled(key, settlingOf(decision), by === undefined ? { at } : { at, by });
  }

  #remember(position: number, activity: Activity, at: number): string | undefined {
    const token = activity.kind === "request.asked" ? activity.token : undefined;
    const { session, eventId } = activity;
    const found = this.#ports.announcer
      .waiting(at)
      .find((one) => one.session === session && (token === undefined ? one.eventId === eventId : one.token === token));
    if (found === undefined) return undefined;
    this.#keys.set(position, found.key);
    bound(this.#keys);
    return found.key;
  }
}

function callOf({ session, callId }: { readonly session: string; readonly callId?: string }): string {
  return `${session} ${callId ?? ""}`;
}

function isAsking(activity: Activity): boolean {
  return activity.kind === "request.asked" || activity.kind === "handoff";
}

/** Forgets the oldest. */
function bound(kept: Map<unknown, unknown> | Set<unknown>): void {
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST_REMEMBERED) return;
    kept.delete(oldest);
  }
}
