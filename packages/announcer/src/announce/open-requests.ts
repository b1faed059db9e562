import type { RequestSettling } from "@earshot/narrate";
import type { Activity } from "@earshot/protocol/activities";
import { isObject } from "@earshot/protocol/json";
import { type SessionTrack, trackKey } from "./session-track.ts";

export type AskingActivity = Extract<Activity, { kind: "request.asked" | "handoff" | "tool.decided" }>;

/** An open question. */
export interface PendingRequest {
  readonly key: string;
  readonly lane: SessionTrack;
  readonly activity: AskingActivity;
  readonly at: number;
  deadline: number | undefined;
  isAnnounced: boolean;
  /** How it ended. */
  settled?: SettledRequest;
}

/** How a request ended, and the source of that information. */
export interface SettledRequest {
  readonly pending: PendingRequest;
  readonly how: RequestSettling;
  readonly by?: string | undefined;
  readonly answer?: string | undefined;
  /** The activity that ended it, if it has words of its own. */
  readonly activity?: Activity;
  /** The ending activity is announced on its own. */
  readonly tellsItself?: boolean;
}

/** Maximum number listed. Of the session that asks most, the newest are only counted, so that none can crowd out the others. */
const MAX_LISTED = 256;
const MAX_EARLY = 64;

/** Open requests, oldest first, and the ways in which they end. */
export class OpenRequests {
  #open: PendingRequest[] = [];
  /** Answers that arrived before their questions. */
  readonly #early = new Map<string, Omit<SettledRequest, "pending">>();
  /** By session: the number of unlisted requests, and of unannounced ones among them. */
  readonly #unlisted = new Map<string, { readonly lane: SessionTrack; asked: number; untold: number }>();
  #nameless = 0;

  get all(): readonly PendingRequest[] {
    return this.#open;
  }

  unannounced(): readonly PendingRequest[] {
    return this.#open.filter(({ isAnnounced: told }) => !told);
  }

  countOf({ key }: SessionTrack): number {
    const listed = this.#open.reduce((count, { lane }) => (lane.key === key ? count + 1 : count), 0);
    return listed + (this.#unlisted.get(key)?.asked ?? 0);
  }

  /** Number of unlisted requests. */
  get unlisted(): number {
    return [...this.#unlisted.values()].reduce((sum, { asked }) => sum + asked, 0);
  }

  /** Marks all requests as announced. Returns the number of those that are only counted. */
  tellUnlisted(): number {
    let told = 0;
    for (const counts of this.#unlisted.values()) {
      told += counts.untold;
      counts.untold = 0;
    }
    return told;
  }

  /** Adds a request. One that was answered already ends at once. */
  ask(lane: SessionTrack, activity: AskingActivity, at: number): SettledRequest | undefined {
    const key = `${lane.key}/${nameOf(activity) ?? `request ${++this.#nameless}`}`;
    if (this.#open.some((pending) => pending.key === key)) return undefined; // asked again
    const timeoutMs = activity.kind === "request.asked" ? activity.timeoutMs : undefined;
    const deadline = timeoutMs !== undefined && timeoutMs > 0 ? at + timeoutMs : undefined;
    const pending: PendingRequest = { key, lane, activity, at, deadline, isAnnounced: false };
    const ending = this.#early.get(key);
    if (ending !== undefined) {
      this.#early.delete(key);
      return { pending, ...ending };
    }
    this.#open.push(pending);
    if (this.#open.length > MAX_LISTED) this.#unlist();
    return undefined;
  }

  /** The requests that an activity ends. */
  handle(lane: SessionTrack, activity: Activity): readonly SettledRequest[] {
    switch (activity.kind) {
      case "tool.decided":
        return activity.verdict === "asked" ? [] : this.#decided(lane, activity);
      case "tool.started":
        return this.#about(lane, activity.callId, "allowed");
      case "tool.ended":
        return this.#about(lane, activity.callId, activity.outcome === "denied" ? "refused" : "allowed");
      case "state":
        return this.#moved(lane, activity);
      case "session.closed":
        this.#unlisted.delete(lane.key);
        return this.#end((pending) => pending.lane.key === lane.key, { how: "withdrawn" });
      default:
        return [];
    }
  }

  /** A reply may lack its session: a token that only one request has is enough. */
  answer(activity: Extract<Activity, { kind: "request.answered" }>): readonly SettledRequest[] {
    const { token, answer, by, session } = activity;
    const how = (activity.request === "clarification" ? undefined : ANSWERS.get(answer.toLowerCase())) ?? "answered";
    const ending = { how, by, answer: how === "answered" ? answer : undefined };
    const named = this.#open.filter(({ activity: question, lane }) =>
      token === undefined ? lane.session === session : question.kind === "request.asked" && question.token === token,
    );
    const meant = named.find(({ lane }) => token !== undefined && lane.session === session) ?? (named.length === 1 ? named[0] : undefined);
    if (meant !== undefined) return this.#end((pending) => pending === meant, ending);
    if (token !== undefined) this.#remember(`${trackKey(activity)}/${token}`, ending);
    return [];
  }

  /** Ends a request by other information. */
  settle(key: string, ending: Omit<SettledRequest, "pending">): readonly SettledRequest[] {
    return this.#end((pending) => pending.key === key, ending);
  }

  expire(at: number): readonly SettledRequest[] {
    return this.#end(({ deadline }) => deadline !== undefined && deadline <= at, { how: "no-answer" });
  }

  #decided(
    lane: SessionTrack,
    { callId, requestEventId, verdict, by }: Extract<Activity, { kind: "tool.decided" }>,
  ): readonly SettledRequest[] {
    const how = verdict === "approved" ? "allowed" : verdict === "denied" ? "refused" : "went-on";
    return this.#end(
      (pending) =>
        pending.lane.key === lane.key &&
        ((callId !== undefined && callOf(pending) === callId) ||
          (requestEventId !== undefined && pending.activity.eventId === requestEventId)),
      { how, by, tellsItself: verdict === "denied" },
    );
  }

  #about(lane: SessionTrack, callId: string | undefined, how: RequestSettling): readonly SettledRequest[] {
    if (callId === undefined || this.#open.length === 0) return [];
    return this.#end((pending) => pending.lane.key === lane.key && callOf(pending) === callId, { how, tellsItself: true });
  }

  /** The hub names the resolved request. An agent's change from `awaiting_input` is only conclusive if it asked one question. */
  #moved(lane: SessionTrack, activity: Extract<Activity, { kind: "state" }>): readonly SettledRequest[] {
    const own = activity.metadata?.["earshot"];
    const resolved = isObject(own) ? own["resolved"] : undefined;
    if (typeof resolved === "string") {
      return this.#end(
        (pending) => pending.lane.key === lane.key && pending.activity.kind === "request.asked" && pending.activity.token === resolved,
        { how: "answered", activity },
      );
    }
    if (activity.from !== "awaiting_input" || activity.to === "awaiting_input") return [];
    const how = activity.to === "calling_tool" ? "allowed" : "went-on";
    return this.#only(lane, (pending) => pending.activity.kind !== "handoff" && pending.activity.agent === activity.agent, {
      how,
      activity,
    });
  }

  #only(
    lane: SessionTrack,
    isMeant: (pending: PendingRequest) => boolean,
    ending: Omit<SettledRequest, "pending">,
  ): readonly SettledRequest[] {
    const [one, second] = this.#open.filter((pending) => pending.lane.key === lane.key && isMeant(pending));
    return one === undefined || second !== undefined ? [] : this.#end((pending) => pending === one, ending);
  }

  #end(isMeant: (pending: PendingRequest) => boolean, ending: Omit<SettledRequest, "pending">): readonly SettledRequest[] {
    const ended = this.#open.filter(isMeant);
    if (ended.length === 0) return [];
    this.#open = this.#open.filter((pending) => !ended.includes(pending));
    return ended.map((pending) => {
      pending.settled = { pending, ...ending };
      return pending.settled;
    });
  }

  #remember(key: string, ending: Omit<SettledRequest, "pending">): void {
    this.#early.set(key, ending);
    for (const [oldest] of this.#early) {
      if (this.#early.size <= MAX_EARLY) break;
      this.#early.delete(oldest);
    }
  }

  #unlist(): void {
    const counts = new Map<string, number>();
    for (const { lane } of this.#open) counts.set(lane.key, (counts.get(lane.key) ?? 0) + 1);
    const [busiest] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most));
    const index = this.#open.findLastIndex(({ lane }) => lane.key === busiest);
    const [gone] = this.#open.splice(index, 1);
    if (gone === undefined) return;
    const known = this.#unlisted.get(busiest) ?? { lane: gone.lane, asked: 0, untold: 0 };
    known.asked++;
    if (!gone.isAnnounced) known.untold++;
    this.#unlisted.set(busiest, known);
  }

  /** Sessions with unannounced, merely counted requests. */
  unannouncedUnlisted(): readonly SessionTrack[] {
    return [...this.#unlisted.values()].filter(({ untold }) => untold > 0).map(({ lane }) => lane);
  }
}

const ANSWERS: ReadonlyMap<string, RequestSettling> = new Map([
  ...["accept", "accepted", "allow", "allowed", "approve", "approved", "yes", "true"].map((word) => [word, "allowed"] as const),
  ...["reject", "rejected", "deny", "denied", "decline", "declined", "refuse", "refused", "no", "false"].map(
    (word) => [word, "refused"] as const,
  ),
]);

function nameOf(activity: AskingActivity): string | undefined {
  switch (activity.kind) {
    case "request.asked":
      return activity.token ?? activity.eventId;
    case "handoff":
      return activity.eventId;
    case "tool.decided":
      return activity.requestEventId ?? activity.callId ?? activity.eventId;
  }
}

function callOf({ activity }: PendingRequest): string | undefined {
  return activity.kind === "handoff" ? undefined : activity.callId;
}
