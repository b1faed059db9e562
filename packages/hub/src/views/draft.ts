import type { Activity } from "@earshot/protocol/activities";
import type { SessionInfo } from "../ledger/ledger.ts";
import { shorten } from "./bounded.ts";
import { type CallFold, foldCall, isFailure, openCallFold, positionOf, raiseEndTokens, type ToolActivity } from "./call-fold.ts";
import type { Named, Part } from "./call-table.ts";
import type { Spawn } from "./family.ts";
import { callNameOf, nameOfId, nameOfPart } from "./joining.ts";
import type { ReadEntry } from "./ledger-reading.ts";
import { foldChunk, type OutputFold, openOutputFold } from "./output-fold.ts";
import type { SearchDocument } from "./search/search-index.ts";
import type { SessionState } from "./session-table.ts";
import { type Amounts, addToSpend, amountsOf, isNothing } from "./spend.ts";
import type { ViewTables } from "./view-tables.ts";
import type { Alert } from "./views.ts";

/** The session of an entry. */
export interface FoldedSession {
  readonly name: SessionInfo;
  readonly state: SessionState;
}

interface Kept<Fold> extends Named<Fold> {
  position: number;
  dirty: boolean;
}

/** Calls and outputs kept in memory; the others are loaded from the tables when an entry belongs to them. */
const MAX_CACHED_CALLS = 2000;
const MAX_CACHED_OUTPUTS = 200;
const MAX_NAME = 256;
const MAX_ID = 256;

/** Rows to write beside the sessions: gathered while entries are folded, written in one transaction. */
export class Draft {
  readonly #tables: ViewTables;
  #calls = new Map<string, Kept<CallFold>>();
  #outputs = new Map<string, Kept<OutputFold>>();
  #dirtyCalls: Kept<CallFold>[] = [];
  #dirtyOutputs: Kept<OutputFold>[] = [];
  #parts: Part[] = [];
  #spawns: Spawn[] = [];
  #alerts: Alert[] = [];
  #texts: SearchDocument[] = [];

  constructor(tables: ViewTables) {
    this.#tables = tables;
  }

  /** Number of rows to write. */
  get rows(): number {
    return this.#dirtyCalls.length + this.#dirtyOutputs.length + this.#parts.length + this.#texts.length + this.#alerts.length;
  }

  addAlert(alert: Alert): void {
    this.#alerts.push(alert);
  }

  addText(document: SearchDocument): void {
    this.#texts.push(document);
  }

  /** Folds the calls, outputs, spawns and amounts of an entry. */
  fold(session: FoldedSession, entry: ReadEntry): void {
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

  /** Within the caller's transaction. */
  write(): void {
    const { calls, costs, family, alerts, search } = this.#tables;
    for (const call of this.#dirtyCalls) calls.saveCall(call);
    for (const output of this.#dirtyOutputs) calls.saveOutput(output);
    for (const part of this.#parts) calls.savePart(part);
    for (const spawn of this.#spawns) family.addSpawn(spawn);
    for (const alert of this.#alerts) alerts.add(alert);
    if (this.#texts.length > 0) search.add(this.#texts);
    costs.write();
  }

  /** To be called after the transaction: calls and outputs stay cached, within bounds. */
  settle(): void {
    for (const kept of [...this.#dirtyCalls, ...this.#dirtyOutputs]) kept.dirty = false;
    this.#tables.costs.forget();
    this.#clear();
    trim(this.#calls, MAX_CACHED_CALLS);
    trim(this.#outputs, MAX_CACHED_OUTPUTS);
  }

  /** Drops everything that was not written. */
  forget(): void {
    this.#calls = new Map();
    this.#outputs = new Map();
    this.#tables.costs.forget();
    this.#clear();
  }

  #clear(): void {
    this.#dirtyCalls = [];
    this.#dirtyOutputs = [];
    this.#parts = [];
    this.#spawns = [];
    this.#alerts = [];
    this.#texts = [];
  }

  #foldCall({ name, state }: FoldedSession, entry: ReadEntry, activity: ToolActivity, number: number): Amounts | undefined {
    const called = callNameOf(state.joining, activity, entry, number);
    if (called === undefined) return undefined;
    if (activity.callId === undefined) this.#parts.push({ session: name.key, position: entry.position, number, name: called });
    const { call, isNew } = this.#call(name.key, called, activity.callId ?? null);
    const failedBefore = isFailure(call.fold);
    const spent = foldCall(call.fold, activity, entry);
    const tokens = raiseEndTokens(call.fold, activity);
    if (state.collector !== undefined && tokens !== undefined) state.collector.callTokens = (state.collector.callTokens ?? 0) + tokens;
    call.position = positionOf(call.fold);
    if (isNew) state.fold.calls++;
    state.fold.failedCalls += Number(isFailure(call.fold)) - Number(failedBefore);
    if (!call.dirty) {
      call.dirty = true;
      this.#dirtyCalls.push(call);
    }
    return spent;
  }

  #call(session: number, name: string, callId: string | null): { readonly call: Kept<CallFold>; readonly isNew: boolean } {
    const key = `${session} ${name}`;
    const known = this.#calls.get(key);
    if (known !== undefined) return { call: known, isNew: false };
    const stored = this.#tables.calls.call(session, name);
    const fold = stored ?? openCallFold(callId);
    const call = { session, name, position: positionOf(fold), fold, dirty: false };
    this.#calls.set(key, call);
    return { call, isNew: stored === undefined };
  }

  #foldChunk(
    { name, state }: FoldedSession,
    entry: ReadEntry,
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
    const output = this.#output(name.key, called, outputId ?? null, entry.position);
    foldChunk(output.fold, activity);
    if (output.dirty) return;
    output.dirty = true;
    this.#dirtyOutputs.push(output);
  }

  #output(session: number, name: string, outputId: string | null, position: number): Kept<OutputFold> {
    const key = `${session} ${name}`;
    const known = this.#outputs.get(key);
    if (known !== undefined) return known;
    const fold = this.#tables.calls.output(session, name) ?? openOutputFold(outputId, position);
    const output = { session, name, position: fold.position, fold, dirty: false };
    this.#outputs.set(key, output);
    return output;
  }

  /** A child that reports its own start names no parent by that. */
  #addSpawn({ name }: FoldedSession, { child, type }: Extract<Activity, { kind: "subagent.started" }>): void {
    if (child === undefined || child === "" || child.length > MAX_ID || child === name.id) return;
    const { key, protocol, source, id } = name;
    this.#spawns.push({ protocol, source, child, parentKey: key, parent: id, because: type });
  }

  #addAmounts({ name, state }: FoldedSession, entry: ReadEntry, activity: Activity, ofCall: Amounts | undefined): void {
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
      spent,
      tool: tool === undefined || isNothing(delta) ? undefined : { name: tool, spent: delta },
    });
  }
}

function trim<Fold>(kept: Map<string, Kept<Fold>>, most: number): void {
  for (const key of kept.keys()) {
    if (kept.size <= most) break;
    kept.delete(key);
  }
}
