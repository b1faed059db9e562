import { recordKeyOf } from "../brief.ts";
import type { Finding } from "../finding.ts";
import { createTable } from "../recent.ts";
import { defineRule } from "../rule.ts";
import { quoteJsonValue } from "../schema.ts";
import { CALL, run, thought, told, toolEnd, toolStart } from "./example-events.ts";
import type { AopRuleId } from "./rules.ts";
import { INSTRUMENTATION_PATTERNS, OPERATIONS } from "./sections.ts";
import { AOP_CALL_STEPS, type AopCallState, type CallSignal, type StepCell } from "./steps.ts";

const START = "operation.tool_start";
const END = "operation.tool_end";

export const TOOL_CALLS_RULES = {
  "aop/tool-end-needs-start": defineRule(["error", "recording", 0, OPERATIONS, [END]], {
    title: "Every `operation.tool_end` has an earlier `operation.tool_start` with its `tool_call_id`.",
    hint: "Emit `operation.tool_start` before the call and repeat its `tool_call_id` when the call returns.",
    examples: () => ({ passes: CALL, fails: run(thought(2), toolEnd(3)) }),
  }),
  "aop/tool-end-names-tool": defineRule(["error", "recording", 0, OPERATIONS, [END]], {
    title: "`operation.tool_end` names the same tool as the `operation.tool_start` it belongs to.",
    hint: "Use the same name in both, and check that the ids of concurrent calls are not mixed up.",
    examples: () => ({ passes: CALL, fails: run(thought(2), toolStart(3), toolEnd(4, "c1", "fetch")) }),
  }),
  "aop/tool-ends": defineRule(["warning", "recording", 0, INSTRUMENTATION_PATTERNS, [START]], {
    title: "Every `operation.tool_start` is followed by an `operation.tool_end` before the session ends.",
    hint: "Emit `operation.tool_end` when the call fails, too, with `success` false.",
    examples: () => ({ passes: CALL, fails: run(thought(2), toolStart(3)) }),
  }),
  "aop/tool-ends-once": defineRule(["error", "recording", 0, OPERATIONS, [END]], {
    title: "A tool call ends once.",
    hint: "Emit one `operation.tool_end` per call; a repeated call needs a new `tool_call_id`.",
    examples: () => ({ passes: CALL, fails: run(thought(2), toolStart(3), toolEnd(4), toolEnd(5)) }),
  }),
  "aop/tool-call-id-unique": defineRule(["error", "recording", 0, OPERATIONS, [START]], {
    title: "A `tool_call_id` stands for one call of a session.",
    hint: "Make a new id for every call, also when the same tool is tried again.",
    examples: () => ({
      passes: run(thought(2), toolStart(3), toolEnd(4), thought(5), toolStart(6, "c2"), toolEnd(7, "c2")),
      fails: run(thought(2), toolStart(3), toolEnd(4), thought(5), toolStart(6), toolEnd(7)),
    }),
  }),
  "aop/live-tool-start-before-call": defineRule(["warning", "live", 0, INSTRUMENTATION_PATTERNS, []], {
    title: "`operation.tool_start` is emitted before the call begins, and `operation.tool_end` right after it returns.",
    hint: "Wrap the call: emit, call, emit. Emitting both afterwards hides a call that hangs.",
    examples: () =>
      told(
        "While a tool sleeps for a second, its `operation.tool_start` has been heard and its `operation.tool_end` has not.",
        "Start and end of a call are heard together, after the call.",
      ),
  }),
} as const;

/** A finding about the event at position `at`, which may be an earlier one. */
export interface PlacedFinding {
  readonly at: number;
  readonly finding: Finding;
}

/** Half of a call, as received. Texts are already cut to a bounded length. */
export interface CallHalf {
  readonly id: string;
  readonly tool: string | null;
  readonly at: number;
  /** The agent of the number; null if the number says nothing about the order. */
  readonly agent: string | null;
  readonly sequence: number | null;
}

/** The known facts of a call. */
export interface TrackedCall {
  state: Exclude<AopCallState, "unknown">;
  readonly id: string;
  tool: string | null;
  at: number;
  agent: string | null;
  sequence: number | null;
  /** For an end without a start: every start received before it was still remembered when it arrived. */
  sure: boolean;
}

/**
 * The calls of one session, as a plain value. Two generations make forgetting the oldest cheap: when the younger one is full, the older
 * one is dropped, except for calls still waiting for their other half.
 */
export interface CallBook {
  calls: Record<string, TrackedCall>;
  callsBefore: Record<string, TrackedCall>;
  /** Number of calls added to the younger generation. */
  added: number;
  openCount: number;
  orphanCount: number;
  /** Calls whose start may have arrived and is no longer remembered. */
  lost: number;
  /** Calls with forgotten facts: the lost ones and those no longer waited for. */
  forgotten: number;
  /** Unreadable starts and ends, which cannot be paired: each may be the missing half of another call. */
  strayStarts: number;
  strayEnds: number;
}

export const MAX_OPEN_CALLS = 1024;
export const MAX_USED_CALLS = 4096;
const GIVEN_UP_AT_ONCE = 256;

export function openCallBook(): CallBook {
  return {
    calls: createTable(),
    callsBefore: {},
    added: 0,
    openCount: 0,
    orphanCount: 0,
    lost: 0,
    forgotten: 0,
    strayStarts: 0,
    strayEnds: 0,
  };
}

/** Applies one signal to a call; changes the book in place. Pushes findings to `told`, which is created on demand. */
export function stepCall(
  book: CallBook,
  signal: CallSignal,
  heard: CallHalf,
  told: PlacedFinding[] | undefined,
): PlacedFinding[] | undefined {
  const key = recordKeyOf(heard.id);
  const known = book.calls[key] ?? book.callsBefore[key];
  const state: AopCallState = known === undefined ? "unknown" : known.state;
  const cell = known === undefined ? AOP_CALL_STEPS.unknown[signal] : cellOf(known, signal, heard);
  let findings = told;
  let then: AopCallState;
  if (typeof cell === "string") {
    then = cell;
    if (then === "closed" && known !== undefined) findings = compareTools(signal, known, heard, findings);
  } else {
    then = cell.then;
    findings = appendFinding(findings, callFinding(cell.breaks, signal, known, heard));
  }
  if (then === state || then === "unknown") return findings;
  if (state === "open") book.openCount--;
  else if (state === "orphan") book.orphanCount--;
  if (then === "open" && ++book.openCount > MAX_OPEN_CALLS) giveUpOpen(book);
  else if (then === "orphan" && ++book.orphanCount > MAX_OPEN_CALLS) dropOrphans(book);
  if (known === undefined) {
    const { id, tool, at, agent, sequence } = heard;
    add(book, key, { state: then, id, tool, at, agent, sequence, sure: book.lost === 0 });
  } else {
    known.state = then;
    if (then === "open") {
      known.tool = heard.tool;
      known.at = heard.at;
      known.agent = heard.agent;
      known.sequence = heard.sequence;
    }
  }
  return findings;
}

/** Reports the calls that have not ended. Running it again reports only new ones. */
export function settleOpenCalls(book: CallBook, told: PlacedFinding[] | undefined, how: string): PlacedFinding[] | undefined {
  if (book.openCount === 0) return told;
  let findings = told;
  for (const call of waiting(book, "open")) {
    call.state = "abandoned";
    if (book.strayEnds > 0) book.strayEnds--;
    else findings = appendFinding(findings, { at: call.at, finding: { rule: "aop/tool-ends", message: `${name(call)} ${how}.` } });
  }
  book.openCount = 0;
  return findings;
}

/** Reports the ends without a start. */
export function settleOrphans(book: CallBook, told: PlacedFinding[] | undefined, hint: string | undefined): PlacedFinding[] | undefined {
  if (book.orphanCount === 0) return told;
  let findings = told;
  for (const call of waiting(book, "orphan")) {
    call.state = "closed";
    if (!call.sure) continue;
    if (book.strayStarts > 0) book.strayStarts--;
    else findings = appendFinding(findings, orphanFinding(call, hint));
  }
  book.orphanCount = 0;
  return findings;
}

/** Keeps the book within a smaller bound than its own, for a state that is stored often. */
export function ageCalls(book: CallBook, capacity: number): void {
  if (book.openCount > capacity) giveUpOpen(book, capacity >> 2);
  if (book.orphanCount > capacity) dropOrphans(book, capacity >> 2);
  if (book.added >= capacity) turnGeneration(book);
}

/** Drops all calls, for a session of which no more events are expected. */
export function forgetCalls(book: CallBook): void {
  const count = Object.keys(book.calls).length + Object.keys(book.callsBefore).length;
  book.calls = createTable();
  book.callsBefore = {};
  book.added = 0;
  book.openCount = 0;
  book.orphanCount = 0;
  book.lost += count;
  book.forgotten += count;
}

function add(book: CallBook, key: string, call: TrackedCall): void {
  if (book.added >= MAX_USED_CALLS / 2) turnGeneration(book);
  book.calls[key] = call;
  book.added++;
}

function turnGeneration(book: CallBook): void {
  const young = createTable<TrackedCall>();
  const lostBefore = book.lost;
  for (const [oldKey, old] of Object.entries(book.callsBefore)) {
    if (old.state === "open" || old.state === "orphan") young[oldKey] = old;
    else book.lost++;
  }
  book.forgotten += book.lost - lostBefore;
  book.callsBefore = book.calls;
  book.calls = young;
  book.added = 0;
}

/** The calls in a state, oldest first. The generation does not give the age: waiting calls move from the older into the younger one. */
function waiting(book: CallBook, state: "open" | "orphan"): TrackedCall[] {
  const calls = [...Object.values(book.callsBefore), ...Object.values(book.calls)].filter((call) => call.state === state);
  return calls.sort((left, right) => left.at - right.at);
}

/** Above the bound, the oldest open calls are no longer waited for. Their ids are kept, so they may still end. */
function giveUpOpen(book: CallBook, howMany = GIVEN_UP_AT_ONCE): void {
  const oldest = waiting(book, "open").slice(0, howMany);
  for (const call of oldest) call.state = "abandoned";
  book.openCount -= oldest.length;
  book.forgotten += oldest.length;
}

/**
 * Above the bound, the oldest ends without a start are dropped. They are not reported, because their starts may still arrive. Such a
 * start then looks like a call that never ends, so each drop counts as a stray end.
 */
function dropOrphans(book: CallBook, howMany = GIVEN_UP_AT_ONCE): void {
  const oldest = waiting(book, "orphan").slice(0, howMany);
  for (const { id } of oldest) {
    const key = recordKeyOf(id);
    delete book.calls[key];
    delete book.callsBefore[key];
  }
  book.orphanCount -= oldest.length;
  book.strayEnds += oldest.length;
  book.forgotten += oldest.length;
}

/** Only the numbers of one agent prove that an end was emitted before its start. */
function cellOf(known: TrackedCall, signal: CallSignal, heard: CallHalf): StepCell<AopCallState> {
  const { state } = known;
  if (state === "orphan" && signal === "start" && !isBefore(known, heard)) return AOP_CALL_STEPS.orphan.startLate;
  // The end precedes by its number: treated as if it had arrived first.
  if (state === "open" && isEnd(signal) && isBefore(heard, known)) return AOP_CALL_STEPS.orphan.start;
  return AOP_CALL_STEPS[state][signal];
}

function isEnd(signal: CallSignal): boolean {
  return signal === "end" || signal === "endLate";
}

function isBefore(end: Pick<CallHalf, "agent" | "sequence">, start: Pick<CallHalf, "agent" | "sequence">): boolean {
  return end.sequence !== null && start.sequence !== null && end.agent === start.agent && end.sequence < start.sequence;
}

function compareTools(
  signal: CallSignal,
  known: { readonly tool: string | null; readonly at: number },
  heard: CallHalf,
  told: PlacedFinding[] | undefined,
): PlacedFinding[] | undefined {
  if (known.tool === null || heard.tool === null || known.tool === heard.tool) return told;
  const [start, end] = isEnd(signal) ? [known, heard] : [heard, known];
  return appendFinding(told, {
    at: end.at,
    finding: {
      rule: "aop/tool-end-names-tool",
      pointer: "/payload/tool_name",
      since: start.at,
      message: `The call ${quoteJsonValue(heard.id)} began as ${quoteJsonValue(start.tool)} and ends as ${quoteJsonValue(end.tool)}.`,
    },
  });
}

function callFinding(rule: AopRuleId, signal: CallSignal, known: { readonly at: number } | undefined, heard: CallHalf): PlacedFinding {
  const id = quoteJsonValue(heard.id);
  if (rule === "aop/tool-end-needs-start") {
    const other = known ?? heard;
    const [start, end] = isEnd(signal) ? [other, heard] : [heard, other];
    const message = `The call ${id} ends before it starts.`;
    return { at: end.at, finding: { rule, pointer: "/payload/tool_call_id", since: start.at, message } };
  }
  const message = rule === "aop/tool-ends-once" ? `The call ${id} has ended before.` : `The id ${id} was used for another call before.`;
  const since = known === undefined ? {} : { since: known.at };
  return { at: heard.at, finding: { rule, pointer: "/payload/tool_call_id", message, ...since } };
}

function orphanFinding(call: CallHalf, hint: string | undefined): PlacedFinding {
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

function name(call: CallHalf): string {
  return call.tool === null ? `The call ${quoteJsonValue(call.id)}` : `The call ${quoteJsonValue(call.id)} of ${quoteJsonValue(call.tool)}`;
}

/** Appends a finding; creates the list on first use. */
export function appendFinding(told: PlacedFinding[] | undefined, finding: PlacedFinding): PlacedFinding[] {
  if (told === undefined) return [finding];
  told.push(finding);
  return told;
}
