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

/** The calls of one session, as a plain value. Used ids are kept in two generations, so that forgetting is cheap. */
export interface CallBook {
  open: Record<string, Call>;
  openCount: number;
  orphans: Record<string, Call>;
  orphanCount: number;
  used: Record<string, UsedCall>;
  usedBefore: Record<string, UsedCall>;
  usedCount: number;
  /** Ids that are not remembered any more: an end may then have had its start. */
  forgotten: number;
  /** Starts and ends that could not be paired, because they are unreadable: each may be what another lacks. */
  strayStarts: number;
  strayEnds: number;
}

export interface UsedCall {
  readonly state: "closed" | "abandoned";
  readonly tool: string | null;
  readonly at: number;
}

export const MAX_OPEN_CALLS = 1024;
export const MAX_USED_CALLS = 4096;
const GIVEN_UP_AT_ONCE = 256;

export function openCallBook(): CallBook {
  return {
    open: {},
    openCount: 0,
    orphans: {},
    orphanCount: 0,
    used: {},
    usedBefore: {},
    usedCount: 0,
    forgotten: 0,
    strayStarts: 0,
    strayEnds: 0,
  };
}

/** Steps one call; changes the book in place. What it has to tell is pushed to `told`, which is made when needed. */
export function stepCall(book: CallBook, signal: CallSignal, heard: Call, told: PlacedFinding[] | undefined): PlacedFinding[] | undefined {
  const key = keyOf(heard.id);
  const open = book.open[key];
  const orphan = open === undefined ? book.orphans[key] : undefined;
  const used = open === undefined && orphan === undefined ? (book.used[key] ?? book.usedBefore[key]) : undefined;
  const known = open ?? orphan ?? used;
  const state: CallState = open !== undefined ? "open" : orphan !== undefined ? "orphan" : (used?.state ?? "unknown");
  const cell = CALL_STEPS[state][orphan?.placeless === true && signal === "start" ? "startLate" : signal];
  let findings = told;
  let then: CallState;
  if (typeof cell === "string") {
    then = cell;
    if (then === "closed" && known !== undefined) findings = compareTools(signal, known, heard, findings);
  } else {
    then = cell.then;
    findings = push(findings, callFinding(cell.breaks, known, heard));
  }
  if (then === state && then !== "closed") return findings;
  if (open !== undefined && then !== "open") {
    delete book.open[key];
    book.openCount--;
  }
  if (orphan !== undefined && then !== "orphan") {
    delete book.orphans[key];
    book.orphanCount--;
  }
  if (then === "open") return addOpen(book, key, heard, findings);
  if (then === "orphan") return addOrphan(book, key, heard, findings);
  if (then !== "unknown" && used?.state !== then) addUsed(book, key, then, heard);
  return findings;
}

/** Tells what never got its other half. Calling it again tells only what is new since. */
export function settleCalls(book: CallBook, told: PlacedFinding[] | undefined, hint: string | undefined): PlacedFinding[] | undefined {
  let findings = told;
  if (book.openCount > 0) {
    for (const [key, call] of Object.entries(book.open)) {
      addUsed(book, key, "abandoned", call);
      if (book.strayEnds > 0) book.strayEnds--;
      else findings = push(findings, { at: call.at, finding: { rule: "aop/tool-ends", message: `${name(call)} never ends.` } });
    }
    book.open = {};
    book.openCount = 0;
  }
  if (book.orphanCount > 0) {
    for (const [key, call] of Object.entries(book.orphans)) {
      addUsed(book, key, "closed", call);
      if (book.strayStarts > 0) book.strayStarts--;
      else if (book.forgotten === 0) findings = push(findings, orphanFinding(call, hint));
    }
    book.orphans = {};
    book.orphanCount = 0;
  }
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

function addOpen(book: CallBook, key: string, heard: Call, told: PlacedFinding[] | undefined): PlacedFinding[] | undefined {
  if (book.openCount >= MAX_OPEN_CALLS) {
    for (const old of Object.keys(book.open).slice(0, GIVEN_UP_AT_ONCE)) {
      addUsed(book, old, "abandoned", book.open[old] as Call);
      delete book.open[old];
      book.openCount--;
    }
  }
  book.open[key] = heard;
  book.openCount++;
  return told;
}

/** Past the bound the oldest orphans are told: whatever was on its way to them has long arrived. */
function addOrphan(book: CallBook, key: string, heard: Call, told: PlacedFinding[] | undefined): PlacedFinding[] | undefined {
  let findings = told;
  if (book.orphanCount >= MAX_OPEN_CALLS) {
    for (const old of Object.keys(book.orphans).slice(0, GIVEN_UP_AT_ONCE)) {
      const call = book.orphans[old] as Call;
      if (book.forgotten === 0) findings = push(findings, orphanFinding(call, undefined));
      addUsed(book, old, "closed", call);
      delete book.orphans[old];
      book.orphanCount--;
    }
  }
  book.orphans[key] = heard;
  book.orphanCount++;
  return findings;
}

function addUsed(book: CallBook, key: string, state: "closed" | "abandoned", call: Call): void {
  if (book.usedCount >= MAX_USED_CALLS / 2) {
    book.forgotten += Object.keys(book.usedBefore).length;
    book.usedBefore = book.used;
    book.used = {};
    book.usedCount = 0;
  }
  book.used[key] = { state, tool: call.tool, at: call.at };
  book.usedCount++;
}

/** Adds a finding to a list that is made when the first one is found. */
export function push(told: PlacedFinding[] | undefined, finding: PlacedFinding): PlacedFinding[] {
  if (told === undefined) return [finding];
  told.push(finding);
  return told;
}
