import { judgeDecision } from "./decision.ts";
import {
  identityKey,
  identityKeyEnd,
  isSameEvent,
  nameLabel,
  numberLabel,
  repeatKey,
  repeatKeyEnd,
  type Sha256,
  sessionLabel,
  sourceLabel,
  toSessionName,
} from "./labels.ts";
import { toOpenedRequest, writeNotes } from "./notes.ts";
import {
  type EntryRow,
  EVENT_KIND,
  type JudgeSnapshot,
  type KnownEntry,
  MESSAGE_KIND,
  type NameRow,
  type Operation,
  type OperationResult,
  type PlannedSessionRow,
  type RequestRow,
  type SourceSession,
  type WritePlan,
} from "./plan.ts";
import { type CachedSession, loadCachedSession, openCachedSession, type SessionCache } from "./session-cache.ts";
import type { EventLifecycle, Flag, Judgement, Submission, Verdict } from "./submission.ts";

export interface JudgingContext {
  readonly lifecycle: EventLifecycle;
  /** Modified by planning; clear it when the plan is not written. */
  readonly cache: SessionCache;
  readonly sha256: Sha256;
  /** Submissions whose judging failed before. */
  readonly unjudgeable?: ReadonlySet<Submission>;
}

/** Judging a submission failed: the in-memory states are invalid, and the batch must be planned again without judging it. */
export class JudgingFailure extends Error {
  readonly submission: Submission;

  constructor(submission: Submission, cause: unknown) {
    super("An event could not be judged.", { cause });
    this.submission = submission;
  }
}

/** The cached state differs from the stored one: the lookups must be found again. */
export class StaleCacheError extends Error {}

/** Plans the rows of a batch from the snapshot: one result per operation. */
export function planBatch(
  batch: readonly Operation[],
  snapshot: JudgeSnapshot,
  context: JudgingContext,
): { readonly plan: WritePlan; readonly results: readonly OperationResult[] } {
  if (context.cache.forgetRemoved(snapshot.removals)) throw new StaleCacheError();
  const draft = new Draft(snapshot, context);
  const results = batch.map((one) => draft.take(one));
  return { plan: draft.finish(), results };
}

/** Stored regardless of the state's size: replaying this much takes less than a millisecond. */
const MIN_TAIL_CHARACTERS = 16 * 1024;

interface DraftedNumber extends KnownEntry {
  readonly agent: string;
}

/** The rows a batch adds, visible to its later operations. */
class Draft {
  readonly #snapshot: JudgeSnapshot;
  readonly #context: JudgingContext;
  readonly #touched = new Set<CachedSession>();
  readonly #unused = new Set<CachedSession>();
  readonly #sources: WritePlan["sources"][number][] = [];
  readonly #sourceKeys = new Map<string, number>();
  readonly #entries: EntryRow[] = [];
  readonly #identities = new Map<string, KnownEntry>();
  readonly #numbers = new Map<string, DraftedNumber[]>();
  readonly #names = new Map<string, number>();
  readonly #answered = new Map<string, string>();
  readonly #newNames: NameRow[] = [];
  readonly #requests = new Map<string, RequestRow>();
  #head: number;
  #nextSource: number;
  #nextSession: number;

  constructor(snapshot: JudgeSnapshot, context: JudgingContext) {
    this.#snapshot = snapshot;
    this.#context = context;
    this.#head = snapshot.head;
    this.#nextSource = snapshot.nextSource;
    this.#nextSession = snapshot.nextSession;
  }

  take(one: Operation): OperationResult {
    if ("append" in one) return this.#append(one.append);
    if ("saveState" in one) return this.#saveState(one.saveState);
    const known = this.#requests.get(one.decide.requestId) ?? this.#snapshot.requests.get(one.decide.requestId);
    const { now, fence } = this.#snapshot;
    const shared = now === undefined ? {} : { shared: { now, fence } };
    const { result, request, entry } = judgeDecision(one.decide, known, { position: this.#head + 1, now: one.at, ...shared });
    const live = known === undefined ? undefined : this.#session(known.session);
    if (live === undefined) return { ok: false, why: "unknown" };
    if (request !== undefined) this.#requests.set(request.id, request);
    if (entry !== undefined) this.#add(live, { ...entry, session: live.key });
    return result;
  }

  finish(): WritePlan {
    for (const live of this.#unused) if (!this.#touched.has(live)) this.#context.cache.delete(live.label);
    const sessions = [...this.#touched].map((live): PlannedSessionRow => {
      const { protocol, source, id, key, sourceKey, isNew, last } = live;
      const state = isStateDue(live) ? { at: last, json: JSON.stringify(live.state) } : undefined;
      live.isNew = false;
      if (state !== undefined) {
        Object.assign(live, { storedAt: last, tailBytes: 0, storeNow: false });
        this.#context.cache.delete(live.label);
        live.storedBytes = state.json.length;
        this.#context.cache.add(live);
      }
      return { protocol, source, id, key, sourceKey, isNew, last, state };
    });
    const requests = [...this.#requests.values()];
    return { head: this.#head, sources: this.#sources, sessions, entries: this.#entries, names: this.#newNames, requests };
  }

  #saveState(session: SourceSession): undefined {
    const live = this.#session(sessionLabel(session));
    if (live === undefined) return;
    live.storeNow = true;
    this.#touched.add(live);
  }

  #append(submission: Submission): Verdict {
    const own = toSessionName(submission);
    const { answers, sequence, agent, answerable } = submission;
    // A message belongs to the session of the event it answers.
    const answered = answers === undefined ? undefined : this.#answeredSession(nameLabel(own, answers));
    const live = (answered === undefined ? undefined : this.#session(answered)) ?? this.#session(sessionLabel(own)) ?? this.#open(own);
    const known = this.#findKnown(live, submission);
    if (known.same !== undefined) return duplicate(known.same);
    if (known.conflict !== undefined && sequence === null) return conflict(submission, known.conflict);
    const position = this.#head + 1;
    const nameUsedAt = answerable === undefined ? null : this.#nameUsedAt(`${agent.length} ${agent} ${nameLabel(own, answerable)}`);
    const repeated = known.conflict !== undefined;
    const judgement = this.#judge(live, submission, { position, repeated, nameUsedAt });
    if (judgement.refuse !== undefined) return { ok: false, problem: judgement.refuse };
    return this.#store(live, submission, judgement, { identity: known.identity, repeated: repeated ? 1 : 0, nameUsedAt });
  }

  #store(
    live: CachedSession,
    submission: Submission,
    judgement: Judgement,
    place: Pick<EntryRow, "identity" | "repeated" | "nameUsedAt">,
  ): Verdict {
    const { identity } = place;
    const { receivedAt, source, kind, type, agent, sequence, answerable, request, isHistory } = submission;
    const { flags } = judgement;
    const { text, whole, redactions } = submission;
    // An unverified source never opens a request, whatever was checked before.
    const opens = request !== undefined && source.verified && !this.#hasRequest(request.id) ? request : undefined;
    if (whole !== undefined) live.storeNow = true;
    const said = whole === undefined ? null : bytesOfHex(this.#context.sha256(whole));
    const position = this.#add(live, {
      session: live.key,
      receivedAt,
      kind: kind === "event" ? EVENT_KIND : MESSAGE_KIND,
      verified: source.verified ? 1 : 0,
      type,
      agent,
      sequence,
      ...place,
      said,
      notes: writeNotes(
        { flags, redactions, ...(isHistory === true ? { isHistory } : {}) },
        opens === undefined ? undefined : toOpenedRequest(opens, this.#context.sha256),
      ),
      text,
    });
    const known = { position, said, text };
    if (identity !== null) this.#identities.set(identity, known);
    if (sequence !== null) this.#noteNumber(live, sequence, { ...known, agent });
    if (answerable !== undefined) {
      const label = nameLabel(toSessionName(submission), answerable);
      this.#names.set(`${agent.length} ${agent} ${label}`, position);
      this.#answered.set(label, live.label);
      this.#newNames.push({ sourceKey: live.sourceKey, name: answerable, agent, session: live.key, position });
    }
    if (opens !== undefined) {
      const opened = { session: live.label, sessionKey: live.key, openedAt: receivedAt, state: "open", settledBy: null } as const;
      this.#requests.set(opens.id, { ...opens, position, ...opened });
    }
    return { ok: true, position, duplicate: false, flags, redactions: redactions.length };
  }

  #hasRequest(id: string): boolean {
    return this.#requests.has(id) || this.#snapshot.requests.has(id);
  }

  /**
   * Whether the event was stored before (`same`), or another event has its identity or number (`conflict`), and the identity to store it
   * with.
   */
  #findKnown(live: CachedSession, submission: Submission): { same?: number; conflict?: number; identity: string | null } {
    const { identity, sequence, agent } = submission;
    const text = submission.whole ?? submission.text;
    const { sha256 } = this.#context;
    if (identity !== null) {
      const keyEnd = identityKeyEnd(identity, sha256);
      const key = identityKey(live.sourceKey, keyEnd);
      const known = this.#identities.get(key) ?? this.#snapshot.identities.get(nameLabel(toSessionName(submission), keyEnd));
      if (known === undefined) return { identity: key };
      return { [isSameEvent(known, text, sha256) ? "same" : "conflict"]: known.position, identity: key };
    }
    if (sequence === null || sequence > live.highest) return { identity: null };
    const keyEnd = repeatKeyEnd(submission, sha256);
    const stored = this.#snapshot.numbers.get(numberLabel(live.label, submission, keyEnd));
    const drafted = this.#numbers.get(`${live.key} ${sequence}`);
    if (stored === undefined && drafted === undefined) return { identity: null };
    // A sender that does not count gives all events the same number: the first one is compared, the others are found by content.
    const key = repeatKey(live.sourceKey, live.key, keyEnd);
    const again = this.#identities.get(key)?.position ?? stored?.again;
    if (again !== undefined) return { same: again, identity: key };
    const first = stored?.first ?? drafted?.find((one) => one.agent === agent);
    if (first === undefined) return { identity: key };
    return { [isSameEvent(first, text, sha256) ? "same" : "conflict"]: first.position, identity: key };
  }

  #noteNumber(live: CachedSession, sequence: number, entry: DraftedNumber): void {
    if (sequence > live.highest) live.highest = sequence;
    const label = `${live.key} ${sequence}`;
    const others = this.#numbers.get(label);
    if (others === undefined) this.#numbers.set(label, [entry]);
    else others.push(entry);
  }

  #answeredSession(label: string): string | undefined {
    return this.#answered.get(label) ?? this.#snapshot.answered.get(label);
  }

  #nameUsedAt(label: string): number | null {
    return this.#names.get(label) ?? this.#snapshot.names.get(label) ?? null;
  }

  #add(live: CachedSession, entry: Omit<EntryRow, "position">): number {
    const position = ++this.#head;
    this.#entries.push({ position, ...entry });
    live.last = position;
    live.tailBytes += entry.text.length;
    this.#touched.add(live);
    return position;
  }

  /** An error while judging must neither lose the event nor affect others: the batch is planned again and this event stored unjudged. */
  #judge(live: CachedSession, submission: Submission, place: Parameters<EventLifecycle["handle"]>[2]): Judgement {
    if (this.#context.unjudgeable?.has(submission)) {
      const flag: Flag = { severity: "error", code: "INTERNAL", message: "This event could not be judged: a fault of Earshot's." };
      return { flags: [flag] };
    }
    try {
      return this.#context.lifecycle.handle(live.state, submission, place);
    } catch (error) {
      throw new JudgingFailure(submission, error);
    }
  }

  /** The session with its current state; undefined for a new one. */
  #session(label: string): CachedSession | undefined {
    const { cache, lifecycle } = this.#context;
    const cached = cache.get(label);
    const found = this.#snapshot.sessions.get(label);
    if (cached !== undefined && (this.#touched.has(cached) || this.#unused.has(cached) || cached.last === found?.last)) return cached;
    if (found === undefined) return undefined;
    if (found.stored === null) throw new StaleCacheError();
    const live = loadCachedSession(found, found.stored, label, lifecycle);
    cache.add(live);
    return live;
  }

  #open(name: SourceSession): CachedSession {
    const { cache, lifecycle } = this.#context;
    const label = sessionLabel(name);
    const live = openCachedSession(
      name,
      { key: this.#nextSession++, sourceKey: this.#sourceKey(name) },
      label,
      lifecycle.open(name.protocol),
    );
    this.#unused.add(live);
    cache.add(live);
    return live;
  }

  #sourceKey({ protocol, source }: SourceSession): number {
    const label = sourceLabel({ protocol, source });
    const known = this.#sourceKeys.get(label) ?? this.#snapshot.sources.get(label);
    if (known !== undefined) return known;
    const key = this.#nextSource++;
    this.#sources.push({ key, protocol, source });
    this.#sourceKeys.set(label, key);
    return key;
  }
}

function isStateDue({ last, storedAt, storedBytes, tailBytes, storeNow }: CachedSession): boolean {
  return last > storedAt && (storeNow || tailBytes >= Math.max(storedBytes, MIN_TAIL_CHARACTERS));
}

function bytesOfHex(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) => Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16));
}

function duplicate(position: number): Verdict {
  return { ok: true, position, duplicate: true, flags: [], redactions: 0 };
}

function conflict({ source, kind }: Submission, position: number): Verdict {
  const aaep = source.protocol === "aaep";
  return {
    ok: false,
    problem: {
      code: "EVENT_ID_CONFLICT",
      message: `This id was used for another ${kind}, stored at position ${position}.`,
      rule: aaep ? "aaep/event-id-unique" : "aep/id-unique",
      pointer: aaep ? "/event_id" : "/id",
      hint: "A redelivered event keeps its id and its content. A new event needs a new id.",
    },
  };
}
