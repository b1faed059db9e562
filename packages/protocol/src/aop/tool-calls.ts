import type { Finding } from "../finding.ts";
import { show } from "../schema.ts";
import { keyOf } from "./brief-key.ts";
import type { AopRuleId } from "./rules.ts";
import { CALL_STEPS, type CallSignal, type CallState } from "./steps.ts";

/** A finding about the event heard at `at`, which may be an earlier one. */
export interface PlacedFinding {
  readonly at: number;
  readonly finding: Finding;
}

/** Half of a call, as it was heard. Texts are already cut to a bounded length. */
export interface Call {
  readonly id: string;
  readonly tool: string | null;
  readonly at: number;
  /** It has no number, so nothing is known about what came before or after it. */
  readonly placeless: boolean;
}

/** A call as far as it is known. */
export interface KnownCall {
  state: Exclude<CallState, "unknown">;
  readonly id: string;
  tool: string | null;
  at: number;
  placeless: boolean;
}

/**
 * The calls of one session, as a plain value. They are kept in two generations, so that forgetting the oldest is cheap:
 * when the younger one is full the older one is dropped, except for what is still waiting for its other half.
 */
export interface CallBook {
  calls: Record<string, KnownCall>;
  callsBefore: Record<string, KnownCall>;
  /** How many were added to the younger generation. */
  added: number;
  openCount: number;
  orphanCount: number;
  /** Ids that are not remembered any more: an end may then have had its start. */
  forgotten: number;
  /** Starts and ends that could not be paired, because they are unreadable: each may be what another lacks. */
  strayStarts: number;
  strayEnds: number;
}

export const MAX_OPEN_CALLS = 1024;
export const MAX_USED_CALLS = 4096;
const GIVEN_UP_AT_ONCE = 256;

export function openCallBook(): CallBook {
  return { calls: {}, callsBefore: {}, added: 0, openCount: 0, orphanCount: 0, forgotten: 0, strayStarts: 0, strayEnds: 0 };
}

/** Steps one call; changes the book in place. What it has to tell is pushed to `told`, which is made when needed. */
export function stepCall(book: CallBook, signal: CallSignal, heard: Call, told: PlacedFinding[] | undefined): PlacedFinding[] | undefined {
  const key = keyOf(heard.id);
  const known = book.calls[key] ?? book.callsBefore[key];
  const state: CallState = known === undefined ? "unknown" : known.state;
  // Of an orphan without a number nobody knows whether it was said before its start.
  const cell = CALL_STEPS[state][state === "orphan" && signal === "start" && known?.placeless === true ? "startLate" : signal];
  let findings = told;
  let then: CallState;
  if (typeof cell === "string") {
    then = cell;
    if (then === "closed" && known !== undefined) findings = compareTools(signal, known, heard, findings);
  } else {
    then = cell.then;
    findings = push(findings, callFinding(cell.breaks, known, heard));
  }
  if (then === state || then === "unknown") return findings;
  if (state === "open") book.openCount--;
  else if (state === "orphan") book.orphanCount--;
  if (then === "open" && ++book.openCount > MAX_OPEN_CALLS) giveUp(book, "open");
  else if (then === "orphan" && ++book.orphanCount > MAX_OPEN_CALLS) findings = tellOldest(book, findings);
  if (known === undefined) {
    add(book, key, { state: then, id: heard.id, tool: heard.tool, at: heard.at, placeless: heard.placeless });
  } else {
    known.state = then;
    if (then === "open") {
      known.tool = heard.tool;
      known.at = heard.at;
      known.placeless = heard.placeless;
    }
  }
  return findings;
}

/** Tells what never got its other half. Calling it again tells only what is new since. */
export function settleCalls(book: CallBook, told: PlacedFinding[] | undefined, hint: string | undefined): PlacedFinding[] | undefined {
  if (book.openCount === 0 && book.orphanCount === 0) return told;
  let findings = told;
  for (const call of [...Object.values(book.callsBefore), ...Object.values(book.calls)]) {
    if (call.state === "open") {
      call.state = "abandoned";
      if (book.strayEnds > 0) book.strayEnds--;
      else findings = push(findings, { at: call.at, finding: { rule: "aop/tool-ends", message: `${name(call)} never ends.` } });
    } else if (call.state === "orphan") {
      call.state = "closed";
      if (book.strayStarts > 0) book.strayStarts--;
      else if (book.forgotten === 0) findings = push(findings, orphanFinding(call, hint));
    }
  }
  book.openCount = 0;
  book.orphanCount = 0;
  return findings;
}

function add(book: CallBook, key: string, call: KnownCall): void {
  if (book.added >= MAX_USED_CALLS / 2) {
    const young: Record<string, KnownCall> = {};
    for (const [oldKey, old] of Object.entries(book.callsBefore)) {
      if (old.state === "open" || old.state === "orphan") young[oldKey] = old;
      else book.forgotten++;
    }
    book.callsBefore = book.calls;
    book.calls = young;
    book.added = 0;
  }
  book.calls[key] = call;
  book.added++;
}

/** Takes the oldest calls in a state off the list of what is waiting. */
function giveUp(book: CallBook, state: "open" | "orphan"): readonly KnownCall[] {
  const waiting = [...Object.values(book.callsBefore), ...Object.values(book.calls)].filter((call) => call.state === state);
  const oldest = waiting.slice(0, GIVEN_UP_AT_ONCE);
  for (const call of oldest) call.state = state === "open" ? "abandoned" : "closed";
  if (state === "open") book.openCount -= oldest.length;
  else book.orphanCount -= oldest.length;
  return oldest;
}

/** Past the bound the oldest orphans are told: whatever was on its way to them has long arrived. */
function tellOldest(book: CallBook, told: PlacedFinding[] | undefined): PlacedFinding[] | undefined {
  let findings = told;
  for (const call of giveUp(book, "orphan")) if (book.forgotten === 0) findings = push(findings, orphanFinding(call, undefined));
  return findings;
}

function compareTools(
  signal: CallSignal,
  known: { readonly tool: string | null; readonly at: number },
  heard: Call,
  told: PlacedFinding[] | undefined,
): PlacedFinding[] | undefined {
  if (known.tool === null || heard.tool === null || known.tool === heard.tool) return told;
  const isEnd = signal === "end" || signal === "endLate";
  const [start, end] = isEnd ? [known, heard] : [heard, known];
  return push(told, {
    at: end.at,
    finding: {
      rule: "aop/tool-end-names-tool",
      pointer: "/payload/tool_name",
      since: start.at,
      message: `The call ${show(heard.id)} began as ${show(start.tool)} and ends as ${show(end.tool)}.`,
    },
  });
}

function callFinding(rule: AopRuleId, known: { readonly at: number } | undefined, heard: Call): PlacedFinding {
  const id = show(heard.id);
  if (rule === "aop/tool-end-needs-start") {
    const message = `The call ${id} ends before it starts.`;
    return { at: known?.at ?? heard.at, finding: { rule, pointer: "/payload/tool_call_id", since: heard.at, message } };
  }
  const message = rule === "aop/tool-ends-once" ? `The call ${id} has ended before.` : `The id ${id} was used for another call before.`;
  const since = known === undefined ? {} : { since: known.at };
  return { at: heard.at, finding: { rule, pointer: "/payload/tool_call_id", message, ...since } };
}

function orphanFinding(call: Call, hint: string | undefined): PlacedFinding {
  return {
    at: call.at,
    finding: {
      rule: "aop/tool-end-needs-start",
      pointer: "/payload/tool_call_id",
      message: `${name(call)} ends, but never started.`,
      ...(hint === undefined ? {} : { hint }),
    },
  };
}

function name(call: Call): string {
  return call.tool === null ? `The call ${show(call.id)}` : `The call ${show(call.id)} of ${show(call.tool)}`;
}

/** Adds a finding to a list that is made when the first one is found. */
export function push(told: PlacedFinding[] | undefined, finding: PlacedFinding): PlacedFinding[] {
  if (told === undefined) return [finding];
  told.push(finding);
  return told;
}
