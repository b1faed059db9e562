import type { Activity } from "@earshot/protocol/activities";
import type { LedgerEntry, SessionInfo } from "../ledger/ledger.ts";
import type { AlertThresholds } from "./alerts/detector.ts";
import { nextCheckAt, openWatch } from "./alerts/watch.ts";
import type { Alert } from "./api.ts";
import { shorten } from "./bounded.ts";
import { foldCall, isFailure, openCallFold, positionOf, raiseEndTokens, type ToolActivityOfCall } from "./call-fold.ts";
import type { CallPart, FoldKind, Folds, NamedFold } from "./call-table.ts";
import { openCollectorFacts } from "./collector-facts.ts";
import type { SpawnReport } from "./family.ts";
import { callNameOf, nameOfId, nameOfPart, openJoinState } from "./joining.ts";
import type { ViewEntry } from "./ledger-reading.ts";
import { foldChunk, openOutputFold } from "./output-fold.ts";
import type { SearchDocument } from "./search/search-index.ts";
import { openSessionFold } from "./session-fold.ts";
import type { SessionState } from "./session-table.ts";
import { type Amounts, addToSpend, amountsOf, isZeroAmount } from "./spend.ts";
import type { ViewTables } from "./view-tables.ts";

/** The session of an entry. */
export interface FoldedSession {
  readonly name: SessionInfo;
  readonly state: SessionState;
}

interface Pending<Kind extends FoldKind> extends NamedFold<Kind> {
  position: number;
}

const MAX_NAME = 256;
const MAX_ID = 256;

/** The folded changes since the last write. Sessions, calls and outputs are loaded from the tables when an entry belongs to them. */
export class ViewDraft {
  readonly #tables: ViewTables;
  readonly #sessions = new Map<number, FoldedSession>();
  readonly #assembled = new Map<string, Pending<FoldKind>>();
  #parts: CallPart[] = [];
  #spawns: SpawnReport[] = [];
  #alerts: Alert[] = [];
  #texts: SearchDocument[] = [];

  constructor(tables: ViewTables) {
    this.#tables = tables;
  }

  /** Number of rows to write. */
  get rows(): number {
    return this.#sessions.size + this.#assembled.size + this.#parts.length + this.#texts.length + this.#alerts.length;
  }

  /** The session of an entry, created for its first one. It is written with the draft. */
  sessionOf({ sessionKey: key, protocol, source, session: id }: LedgerEntry): FoldedSession {
    const known = this.#sessions.get(key) ?? this.#tables.sessions.load(key);
    const collector = protocol === "aop" ? { collector: openCollectorFacts() } : {};
    const session = known ?? {
      name: { key, protocol, source, id },
      state: { fold: openSessionFold(), joining: openJoinState(), watch: openWatch(), ...collector },
    };
    this.#sessions.set(key, session);
    return session;
  }

  addSession(session: FoldedSession): void {
    this.#sessions.set(session.name.key, session);
  }

  addAlert(alert: Alert): void {
    this.#alerts.push(alert);
  }

  addText(document: SearchDocument): void {
    this.#texts.push(document);
  }

  /** Within the caller's transaction. */
  write(thresholds: AlertThresholds): void {
    const { sessions, calls, costs, family, alerts, search } = this.#tables;
    for (const { name, state } of this.#sessions.values()) sessions.save(name, state, nextCheckAt(state.watch, { thresholds }));
    for (const one of this.#assembled.values()) calls.save(one);
    for (const part of this.#parts) calls.savePart(part);
    for (const spawn of this.#spawns) family.addSpawn(spawn);
    for (const alert of this.#alerts) alerts.add(alert);
    if (this.#texts.length > 0) search.add(this.#texts);
    costs.write();
  }

  /** Call after the transaction, or to discard what was not written. */
  clear(): void {
    this.#sessions.clear();
    this.#assembled.clear();
    this.#tables.costs.clear();
    this.#parts = [];
    this.#spawns = [];
    this.#alerts = [];
    this.#texts = [];
  }

  /** Folds the calls, outputs, spawns and amounts of an entry. */
  fold(session: FoldedSession, entry: ViewEntry): void {
    entry.activities.forEach((activity, number) => {
      let ofCall: Amounts | undefined;
      switch (activity.kind) {
        case "tool.requested":
        case "tool.decided":
        case "tool.started":
        case "tool.ended":
          ofCall = this.#foldCall(session, entry, activity, number);
          break;
        case "output.chunk":
          this.#foldChunk(session, entry, activity, number);
          break;
        case "response":
          session.state.joining.output = null;
          break;
        case "subagent.started":
          this.#addSpawn(session, activity);
          break;
      }
      this.#addAmounts(session, entry, activity, ofCall);
    });
  }

  #foldCall({ name, state }: FoldedSession, entry: ViewEntry, activity: ToolActivityOfCall, number: number): Amounts | undefined {
    const called = callNameOf(state.joining, activity, entry, number);
    if (called === undefined) return undefined;
    if (activity.callId === undefined) this.#parts.push({ session: name.key, position: entry.position, number, name: called });
    const { one: call, isNew } = this.#take("call", name.key, called, () => openCallFold(activity.callId ?? null));
    const failedBefore = isFailure(call.fold);
    const spent = foldCall(call.fold, activity, entry);
    const tokens = raiseEndTokens(call.fold, activity);
    if (state.collector !== undefined && tokens !== undefined) state.collector.callTokens = (state.collector.callTokens ?? 0) + tokens;
    call.position = positionOf(call.fold);
    if (isNew) state.fold.calls++;
    state.fold.failedCalls += Number(isFailure(call.fold)) - Number(failedBefore);
    return spent;
  }

  /** A call or output as drafted, or else as stored, or else new. */
  #take<Kind extends FoldKind>(kind: Kind, session: number, name: string, open: () => Folds[Kind]) {
    const key = `${kind} ${session} ${name}`;
    const known = this.#assembled.get(key) as Pending<Kind> | undefined;
    if (known !== undefined) return { one: known, isNew: false };
    const stored = this.#tables.calls.load(kind, session, name);
    const one: Pending<Kind> = { kind, session, name, position: 0, fold: stored ?? open() };
    this.#assembled.set(key, one);
    return { one, isNew: stored === undefined };
  }

  #foldChunk(
    { name, state }: FoldedSession,
    entry: ViewEntry,
    activity: Extract<Activity, { kind: "output.chunk" }>,
    number: number,
  ): void {
    const { outputId, last } = activity;
    const { joining } = state;
    let called: string;
    if (outputId !== undefined) called = nameOfId(outputId);
    else {
      called = joining.output ?? nameOfPart(entry.position, number);
      joining.output = last ? null : called;
      this.#parts.push({ session: name.key, position: entry.position, number, name: called });
    }
    const { one: output } = this.#take("output", name.key, called, () => openOutputFold(outputId ?? null, entry.position));
    output.position = output.fold.position;
    foldChunk(output.fold, activity);
  }

  /** A child that reports its own start does not thereby name a parent. */
  #addSpawn({ name }: FoldedSession, { child, type }: Extract<Activity, { kind: "subagent.started" }>): void {
    if (child === undefined || child === "" || child.length > MAX_ID || child === name.id) return;
    const { key, protocol, source, id } = name;
    this.#spawns.push({ protocol, source, child, parentKey: key, parent: id, because: type });
  }

  #addAmounts({ name, state }: FoldedSession, entry: ViewEntry, activity: Activity, ofCall: Amounts | undefined): void {
    const said = amountsOf(activity);
    if (said === undefined) return;
    const spent = addToSpend(state.fold.spend, ofCall === undefined ? said : { ...said, delta: ofCall });
    state.fold.spendEvents++;
    const tool = "tool" in activity && activity.tool !== undefined && activity.tool !== "" ? shorten(activity.tool, MAX_NAME) : undefined;
    const delta = ofCall ?? said.delta;
    this.#tables.costs.add({
      session: name.key,
      day: new Date(entry.receivedAt).toISOString().slice(0, 10),
      agent: shorten(activity.agent, MAX_NAME),
      model: state.fold.model ?? "",
      project: state.fold.workspace ?? "",
      spent,
      tool: tool === undefined || isZeroAmount(delta) ? undefined : { name: tool, spent: delta },
    });
  }
}
