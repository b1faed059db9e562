import type { Activity } from "@earshot/protocol/activities";
import { shorten } from "./bounded.ts";
import { type CallFold, foldCall, isFailure, openCallFold, positionOf, raiseEndTokens, type ToolActivity } from "./call-fold.ts";
import type { Named, Part } from "./call-table.ts";
import type { Spawn } from "./family.ts";
import type { Heard, SessionName } from "./heard.ts";
import { callNameOf, nameOfId, nameOfPart } from "./joining.ts";
import { foldChunk, type OutputFold, openOutputFold } from "./output-fold.ts";
import type { SearchDocument } from "./search/search-index.ts";
import type { SessionState } from "./session-table.ts";
import { type Amounts, addToSpend, amountsOf, isNothing } from "./spend.ts";
import type { ViewTables } from "./view-tables.ts";
import type { Alert } from "./views.ts";

/** A session that something was heard from. */
export interface Speaker {
  readonly name: SessionName;
  readonly state: SessionState;
}

interface Kept<Fold> extends Named<Fold> {
  position: number;
  dirty: boolean;
}

/** How many calls and outputs are kept at hand; the others are taken up from the tables when they are heard of again. */
const MOST_KEPT = 2000;
const MOST_OUTPUTS_KEPT = 200;
const MAX_NAME = 256;
const MAX_ID = 256;

/** What is to be written into the tables beside the sessions: gathered while entries are folded, written in one transaction. */
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

  /** How many rows wait to be written. */
  get rows(): number {
    return this.#dirtyCalls.length + this.#dirtyOutputs.length + this.#parts.length + this.#texts.length + this.#alerts.length;
  }

  addAlert(alert: Alert): void {
    this.#alerts.push(alert);
  }

  addText(document: SearchDocument): void {
    this.#texts.push(document);
  }

  hear(speaker: Speaker, heard: Heard): void {
    heard.activities.forEach((activity, number) => {
      let ofCall: Amounts | undefined;
      switch (activity.kind) {
        case "tool.requested":
        case "tool.decided":
        case "tool.started":
        case "tool.ended":
          ofCall = this.#hearCall(speaker, heard, activity, number);
          break;
        case "output.chunk":
          this.#hearChunk(speaker, heard, activity, number);
          break;
        case "response":
          speaker.state.joining.output = null;
          break;
        case "subagent.started":
          this.#hearSpawn(speaker, activity);
          break;
      }
      this.#hearAmounts(speaker, heard, activity, ofCall);
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

  /** After the transaction: what was written is at hand still, within bounds. */
  settle(): void {
    for (const kept of [...this.#dirtyCalls, ...this.#dirtyOutputs]) kept.dirty = false;
    this.#tables.costs.forget();
    this.#clear();
    trim(this.#calls, MOST_KEPT);
    trim(this.#outputs, MOST_OUTPUTS_KEPT);
  }

  /** What was not written is lost. */
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

  #hearCall({ name, state }: Speaker, heard: Heard, activity: ToolActivity, number: number): Amounts | undefined {
    const called = callNameOf(state.joining, activity, heard, number);
    if (called === undefined) return undefined;
    if (activity.callId === undefined) this.#parts.push({ session: name.key, position: heard.position, number, name: called });
    const { call, isNew } = this.#call(name.key, called, activity.callId ?? null);
    const failedBefore = isFailure(call.fold);
    const spent = foldCall(call.fold, activity, heard);
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

  #hearChunk({ name, state }: Speaker, heard: Heard, activity: Extract<Activity, { kind: "output.chunk" }>, number: number): void {
    const { outputId, last } = activity;
    const { joining } = state;
    let called: string;
    if (outputId !== undefined) called = nameOfId(outputId);
    else {
      called = joining.output ?? nameOfPart(heard.position, number);
      joining.output = last ? null : called;
      this.#parts.push({ session: name.key, position: heard.position, number, name: called });
    }
    const output = this.#output(name.key, called, outputId ?? null, heard.position);
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

  /** A child that says itself that it was started names no parent by that. */
  #hearSpawn({ name }: Speaker, { child, type }: Extract<Activity, { kind: "subagent.started" }>): void {
    if (child === undefined || child === "" || child.length > MAX_ID || child === name.id) return;
    const { key, protocol, source, id } = name;
    this.#spawns.push({ protocol, source, child, parentKey: key, parent: id, because: type });
  }

  #hearAmounts({ name, state }: Speaker, heard: Heard, activity: Activity, ofCall: Amounts | undefined): void {
    const said = amountsOf(activity);
    if (said === undefined) return;
    const spent = addToSpend(state.fold.spend, ofCall === undefined ? said : { ...said, delta: ofCall });
    state.fold.spendEvents++;
    const tool = "tool" in activity && activity.tool !== undefined && activity.tool !== "" ? shorten(activity.tool, MAX_NAME) : undefined;
    const delta = ofCall ?? said.delta;
    this.#tables.costs.add({
      session: name.key,
      day: new Date(heard.receivedAt).toISOString().slice(0, 10),
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
