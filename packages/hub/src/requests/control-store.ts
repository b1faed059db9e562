import { type JsonObject, type JsonValue, PROTOCOLS, type ProtocolName } from "@earshot/protocol";
import { LedgerValue, RERECORD_AFTER_MS } from "../own-entries.ts";
import type { ControlView, GateFault, HoldingView, RememberedView } from "./api.ts";
import {
  type Control,
  controlAt,
  describeHolding,
  type KeptAnswer,
  type RememberedRule,
  readControl,
  type StoppedSession,
} from "./control.ts";
import type { RequestEnding } from "./machine-types.ts";
import type { RequestNewsLog } from "./news.ts";
import type { RequestEngineOptions } from "./request-carrying.ts";
import { formatInstant } from "./request-view.ts";

/** An approver active within this time is present; an open tab is not enough. */
const PRESENT_MS = 5 * 60_000;
/** How long a late allow is kept, and the answer to a deferred question. */
export const KEPT_ANSWER_MS = 30 * 60_000;
const DEFERRED_MS = 7 * 86_400_000;
export const MAX_PAUSE_MS = 24 * 3_600_000;

/** Pause, away, stopped sessions and kept answers: settings by people. Each change is on disk before it takes effect. */
export class ControlStore {
  readonly #options: RequestEngineOptions;
  readonly #news: RequestNewsLog;
  readonly #stored: LedgerValue;
  #control: Control;
  #isRecordedAgain = false;
  #announced: HoldingView["holds"] | undefined;
  #faults: readonly GateFault[] = [];
  /** When an approver was last active: by the monotonic clock, and by the wall clock, which continues during sleep. */
  #acted = { at: Number.NEGATIVE_INFINITY, wallAt: Number.NEGATIVE_INFINITY };

  private constructor(options: RequestEngineOptions, news: RequestNewsLog, stored: LedgerValue) {
    this.#options = options;
    this.#news = news;
    this.#stored = stored;
    this.#control = this.#read();
    if (options.isAlone === true) return;
    const changed = () => {
      this.#control = this.#read();
      news.add("control", "What holds was changed at another hub.");
    };
    stored.follow(changed, options.onFailure);
  }

  static async open(options: RequestEngineOptions, news: RequestNewsLog): Promise<ControlStore> {
    const desk = new ControlStore(options, news, await LedgerValue.open(options.ledger, "control"));
    await desk.refresh();
    return desk;
  }

  /** Records old settings again; call it at intervals. */
  async refresh(): Promise<void> {
    if (this.#isRecordedAgain || this.#options.now() - this.#stored.recordedAt <= RERECORD_AFTER_MS) return;
    this.#isRecordedAgain = true;
    try {
      await this.#change("control.kept", "hub", {}, (control) => control);
    } finally {
      this.#isRecordedAgain = false;
    }
  }

  #read(): Control {
    return controlAt(readControl(this.#stored.value), this.#options.now());
  }

  close(): Promise<void> {
    return this.#stored.close();
  }

  get #now(): Control {
    return controlAt(this.#control, this.#options.now());
  }

  get isPaused(): boolean {
    return this.#now.pause !== null;
  }

  get isAway(): boolean {
    return this.#control.away !== null;
  }

  /** Whether anyone would notice a question: an active approver, or one who is away and reachable. */
  get isAttended(): boolean {
    const { monotonic, sleptUntil } = this.#options;
    const { at, wallAt } = this.#acted;
    // A closed lid ends presence, however little time the monotonic clock counted.
    return this.isAway || (monotonic() - at <= PRESENT_MS && wallAt >= (sleptUntil?.() ?? Number.NEGATIVE_INFINITY));
  }

  /** An approver is set up, who could answer now or later. */
  get hasApprover(): boolean {
    return this.#options.hasApprover?.() ?? false;
  }

  holding(): HoldingView {
    const { isPaused, isAway, isAttended: isActive, hasApprover } = this;
    return describeHolding({ isPaused, isAway, isActive, hasApprover });
  }

  /** Announces changes in what waits for a person; call it at intervals. */
  announceHolding(): void {
    const { holds, words, change } = this.holding();
    if (holds === this.#announced) return;
    const isFirst = this.#announced === undefined;
    this.#announced = holds;
    if (!isFirst) this.#news.add("control", change === null ? words : `${words} ${change}`);
  }

  /** Stores faults of agents' gates and returns the new ones. */
  setFaults(faults: readonly GateFault[]): readonly GateFault[] {
    const isKnown = (all: readonly GateFault[], one: GateFault) =>
      all.some(({ agent, reason }) => agent === one.agent && reason === one.reason);
    const added = faults.filter((one) => !isKnown(this.#faults, one));
    const mended = this.#faults.filter((one) => !faults.some(({ agent }) => agent === one.agent));
    this.#faults = faults;
    for (const { name, reason } of added) this.#news.add("alarm", `${name} is not gated: ${reason}`);
    for (const name of new Set(mended.map((one) => one.name))) this.#news.add("control", `${name} is gated again.`);
    return added;
  }

  /** An approver was active on an authorized surface. */
  present(): void {
    this.#acted = { at: this.#options.monotonic(), wallAt: this.#options.now() };
  }

  /** When an approver last did something, by `now`; 0 for never. */
  get actedAt(): number {
    return Math.max(0, this.#acted.wallAt);
  }

  /** An approver did something at some hub. */
  heardPresent(wallAt: number): void {
    const { now, monotonic } = this.#options;
    if (wallAt > this.#acted.wallAt && wallAt > 0) this.#acted = { at: monotonic() - (now() - wallAt), wallAt };
  }

  stopped(protocol: string, source: string, session: string): StoppedSession | undefined {
    return this.#control.stopped.find((one) => one.protocol === protocol && one.source === source && one.session === session);
  }

  async pause(forMs: number, by: string, reason: string): Promise<void> {
    const until = this.#options.now() + Math.min(forMs, MAX_PAUSE_MS);
    if (forMs <= 0) await this.#change("control.resumed", by, {}, (control) => ({ ...control, pause: null }));
    else
      await this.#change("control.paused", by, { until: formatInstant(until), reason }, (control) => ({
        ...control,
        pause: { until, by, reason },
      }));
    this.#news.add("control", forMs <= 0 ? `${by} ended the pause.` : `Paused by ${by}: agents decide everything themselves. ${reason}`);
  }

  async setAway(on: boolean, by: string): Promise<void> {
    const away = on ? { since: this.#options.now(), by } : null;
    await this.#change(on ? "control.away" : "control.back", by, {}, (control) => ({ ...control, away }));
    this.#news.add("control", on ? `${by} is away: questions wait.` : `${by} is back.`);
  }

  async stop(
    target: { readonly protocol: string; readonly source: string; readonly session: string },
    by: string,
    reason?: string,
  ): Promise<void> {
    const { protocol, source, session } = target;
    const stopped: StoppedSession = { protocol, source, session, by, at: this.#options.now(), ...(reason === undefined ? {} : { reason }) };
    const others = (control: Control) => control.stopped.filter((one) => !isSame(one, target));
    await this.#change("control.stopped", by, { protocol, source, session, ...(reason === undefined ? {} : { reason }) }, (control) => ({
      ...control,
      stopped: [...others(control), stopped],
    }));
    this.#news.add("control", `${by} stopped the session.`, { session });
  }

  async lift(target: { readonly protocol: string; readonly source: string; readonly session: string }, by: string): Promise<void> {
    const { protocol, source, session } = target;
    await this.#change("control.lifted", by, { protocol, source, session }, (control) => ({
      ...control,
      stopped: control.stopped.filter((one) => !isSame(one, target)),
    }));
    this.#news.add("control", `${by} lets the session go on.`, { session });
  }

  /** Keeps a late answer for the next identical question: once, for a limited time. */
  async keep(answer: Omit<KeptAnswer, "until">, ended: RequestEnding | null): Promise<void> {
    const isDeferred = ended?.answer.word === "defer";
    const kept: KeptAnswer = { ...answer, until: this.#options.now() + (isDeferred ? DEFERRED_MS : KEPT_ANSWER_MS) };
    await this.#change("control.kept-answer", answer.by, { request: answer.request, answer: answer.answer.word }, (control) => ({
      ...control,
      kept: [...control.kept.filter(({ request }) => request !== answer.request), kept],
      deferred: control.deferred.filter((id) => id !== answer.request),
    }));
  }

  has(source: string, session: string, digest: string): boolean {
    return this.#now.kept.some((one) => one.source === source && one.session === session && one.digest === digest);
  }

  /** Takes a kept answer exclusively: its removal is on disk before it is used. */
  async take(source: string, session: string, digest: string): Promise<KeptAnswer | undefined> {
    const isWanted = (one: KeptAnswer) => one.source === source && one.session === session && one.digest === digest;
    if (!this.#now.kept.some(isWanted)) return undefined;
    let taken: KeptAnswer | undefined;
    await this.#change("control.used-answer", "hub", { digest }, (control) => {
      taken = control.kept.find(isWanted);
      return { ...control, kept: control.kept.filter((one) => one !== taken) };
    });
    return taken;
  }

  async defer(request: string, by: string): Promise<void> {
    await this.#change("control.deferred", by, { request }, (control) => ({ ...control, deferred: [...control.deferred, request] }));
  }

  /** Temporary rules that may apply to a session's questions. */
  grantedTo(source: string, session: string): readonly RememberedRule[] {
    return this.#now.remembered.filter(
      (one) => one.scope === "project" || (one.scope === "session" && one.source === source && one.session === session),
    );
  }

  async remember(rule: RememberedRule): Promise<void> {
    const { name, scope, request, by } = rule;
    await this.#change("control.remembered", by, { rule: name, scope, request }, (control) => ({
      ...control,
      remembered: [...control.remembered.filter((one) => one.name !== name), rule],
    }));
    this.#news.add("control", `${by} allows this from now on: ${name}.`, { request });
  }

  async forget(name: string, by: string): Promise<void> {
    await this.#change("control.forgotten", by, { rule: name }, (control) => ({
      ...control,
      remembered: control.remembered.filter((one) => one.name !== name),
    }));
    this.#news.add("control", `${by} took back: ${name}.`);
  }

  /** The session ended, and with it its temporary rules. */
  async endSession(source: string, session: string): Promise<void> {
    const isOfIt = (one: RememberedRule) => one.scope === "session" && one.source === source && one.session === session;
    if (!this.#now.remembered.some(isOfIt)) return;
    await this.#change("control.forgotten", "hub", { session }, (control) => ({
      ...control,
      remembered: control.remembered.filter((one) => !isOfIt(one)),
    }));
  }

  findRemembered(name: string): RememberedRule | undefined {
    return this.#now.remembered.find((one) => one.name === name);
  }

  /** The rule stored with a decision, if still active. */
  rememberedFrom(request: string): RememberedRule | undefined {
    return this.#control.remembered.length === 0 ? undefined : this.#now.remembered.find((one) => one.request === request);
  }

  get rememberedNames(): ReadonlySet<string> {
    return new Set(this.#now.remembered.map(({ name }) => name));
  }

  view(): ControlView {
    const { pause, away, stopped, kept, deferred, remembered } = this.#now;
    return {
      pause: pause === null ? null : { ...pause, until: formatInstant(pause.until) },
      away: away === null ? null : { ...away, since: formatInstant(away.since) },
      stopped: stopped.map((one) => ({ ...one, at: formatInstant(one.at), reason: one.reason ?? null })),
      attended: this.isAttended,
      holding: this.holding(),
      notGated: this.#faults,
      kept: kept.map(({ request, session, answer, by, until }) => ({ request, session, answer, by, until: formatInstant(until) })),
      deferred,
      remembered: remembered.map(toRememberedView),
    };
  }

  async #change(type: string, by: string, about: JsonObject, change: (control: Control) => Control): Promise<void> {
    await this.#stored.change({ type, by, now: this.#options.now() }, (before) => {
      const control = change(controlAt(readControl(before), this.#options.now()));
      return { about, value: control as unknown as JsonValue };
    });
    this.#control = this.#read();
  }
}

export function toRememberedView({ name, scope, yaml, request, session, by, at, until }: RememberedRule): RememberedView {
  return { rule: name, scope, yaml, request, session, by, at: formatInstant(at), until: until === null ? null : formatInstant(until) };
}

function isSame(one: StoppedSession, other: { readonly protocol: string; readonly source: string; readonly session: string }): boolean {
  return one.protocol === other.protocol && one.source === other.source && one.session === other.session;
}

/** Whether a session may continue, as its producer is told. */
export interface SessionPermission {
  readonly stopped: boolean;
  readonly reason?: string;
}

/** Waits for a limited time until a session of a source is stopped. `signal` aborts when the caller has gone. */
export async function waitForPermission(
  { control, news }: { readonly control: ControlStore; readonly news: RequestNewsLog },
  { source, session }: { readonly source: string; readonly session: string },
  { waitMs, signal }: { readonly waitMs: number; readonly signal?: AbortSignal },
): Promise<SessionPermission> {
  const until = performance.now() + waitMs;
  for (;;) {
    const { next } = news.after(Number.MAX_SAFE_INTEGER); // what happens from now on wakes
    const stopped = (Object.keys(PROTOCOLS) as ProtocolName[])
      .map((protocol) => control.stopped(protocol, source, session))
      .find((one) => one !== undefined);
    if (stopped !== undefined) return { stopped: true, ...(stopped.reason === undefined ? {} : { reason: stopped.reason }) };
    const leftMs = until - performance.now();
    if (leftMs <= 0 || signal?.aborted === true) return { stopped: false };
    await news.wait(next, leftMs, signal);
  }
}
