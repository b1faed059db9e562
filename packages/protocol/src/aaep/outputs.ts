import { recordKeyOf } from "../brief.ts";
import { countCodePoints } from "../code-points.ts";
import type { JsonObject } from "../json.ts";
import { keepEntry, recallEntry } from "../recent.ts";
import { defineRule } from "../rule.ts";
import { both, chunk, full, inside } from "./example-events.ts";
import { addNote as readNote } from "./notes.ts";
import { AAEP_SESSION_LIMITS, type AaepSessionState } from "./session-state.ts";
import { type AaepSignal, type NoteFinding, readTextField } from "./signal.ts";
import { quoteState } from "./states.ts";

const CHUNK = ["agent.output.streaming"];

export const OUTPUTS_RULES = {
  "aaep/output-streaming-payload": defineRule(["error", "event", 1, "§4.3.3", ["agent.output.streaming"]], {
    title: "`output.streaming` has `chunk`, `position` and `complete`.",
    hint: "position counts characters from 0; complete is a boolean; content_type has no parameters.",
    examples: () => inside(chunk("Hello.", 0, true), chunk("Hello.", 0, true, { content_type: "text/plain; charset=utf-8" })),
  }),
  "aaep/output-position": defineRule(["error", "recording", 1, "§4.3.3", CHUNK], {
    title: "`position` is the number of characters already sent for this output.",
    hint: "Count Unicode code points per output_id, from 0.",
    needs: ["agent.output.streaming"],
    examples: () => both(full(chunk("Hello ", 0, false), chunk("you.", 6, true)), full(chunk("Hello ", 0, false), chunk("you.", 7, true))),
  }),
  "aaep/output-position-rises": defineRule(["error", "recording", 1, "§4.3.3, A.6, A.8.7", CHUNK], {
    title: "`position` rises from chunk to chunk of an output.",
    hint: "Send the chunks in order; add the length of each chunk to the position.",
    examples: () =>
      both(
        full(chunk("Hello ", 0, false), chunk("to ", 6, false), chunk("you.", 9, true)),
        full(chunk("Hello ", 0, false), chunk("to ", 6, false), chunk("you.", 3, true)),
      ),
  }),
  "aaep/output-completes": defineRule(["error", "recording", 1, "§4.3.3, §4.5.4", CHUNK], {
    title: 'Each output has exactly one chunk with "complete":true before the session ends.',
    hint: "Close an open output with an empty chunk and complete true.",
    needs: ["agent.output.streaming"],
    examples: () => both(full(chunk("Hello.", 0, true)), full(chunk("Hello.", 0, false))),
  }),
  "aaep/output-after-complete": defineRule(["error", "recording", 1, "§4.5.4, A.6, A.8.6", CHUNK], {
    title: "No chunk follows the complete one of the same output.",
    hint: "Use a new output_id for a new output.",
    examples: () =>
      both(
        full(chunk("Hello.", 0, true, { output_id: "out_1" }), chunk("Bye.", 0, true, { output_id: "out_2" })),
        full(chunk("Hello.", 0, true, { output_id: "out_1" }), chunk("Bye.", 6, false, { output_id: "out_1" })),
      ),
  }),
  "aaep/coalesce-hint-true": defineRule(["warning", "recording", 1, "§4.3.3, §9.3.1", ["agent.output.streaming/coalesce_hint"]], {
    title: "`coalesce_hint` names a boundary that the chunk ends on.",
    hint: "Subscribers speak a chunk at its boundary: send `none` for one that ends anywhere else, `completion` only with complete true.",
    oncePerSession: true,
    examples: () =>
      both(
        full(chunk("It is slow.", 0, false, { coalesce_hint: "sentence" }), chunk(" Why?", 11, true)),
        full(chunk("It is sl", 0, false, { coalesce_hint: "sentence" }), chunk("ow. Why?", 8, true)),
      ),
  }),
} as const;

/** One output and the length sent so far, counted in both units because the specification's examples use both. */
export interface OutputProgress {
  codePoints: number;
  codeUnits: number;
  position: number;
  /** The units that have matched every position so far: 1 code points, 2 UTF-16 units, 3 both. */
  units: number;
  /** The boundary that the last chunk claimed to end on, the last characters of that chunk, and its position. */
  claim?: { readonly hint: string; readonly tail: string; readonly at: number };
  readonly at: number;
}

type OutputState = "unheard" | "open" | "complete";
type OutputSignal = "chunk" | "final";

export const OUTPUT_STEPS: Record<OutputState, Record<OutputSignal, OutputState | { readonly breaks: "aaep/output-after-complete" }>> = {
  unheard: { chunk: "open", final: "complete" },
  open: { chunk: "open", final: "complete" },
  complete: { chunk: { breaks: "aaep/output-after-complete" }, final: { breaks: "aaep/output-after-complete" } },
};

/** The id of an output without one: it is the session's only output. */
const IMPLICIT = "";

export function streamOutput(session: AaepSessionState, signal: AaepSignal, note: NoteFinding): void {
  const { value } = signal;
  const id = readTextField(value, "output_id") ?? IMPLICIT;
  const key = `:${id}`;
  const open = session.outputs[key];
  const state: OutputState =
    open !== undefined ? "open" : recallEntry(session.finishedOutputs, recordKeyOf(id)) === undefined ? "unheard" : "complete";
  const final = value["complete"] === true;
  const step = OUTPUT_STEPS[state][final ? "final" : "chunk"];
  if (typeof step === "object") {
    note(step.breaks, `${nameOf(id)} was complete, and goes on.`, { pointer: "/chunk" });
    return;
  }
  const output = open ?? { codePoints: 0, codeUnits: 0, position: -1, units: 3, at: signal.at };
  if (open !== undefined || !session.outputsForgotten) checkPosition(output, value["position"], note, id);
  const chunk = readTextField(value, "chunk") ?? "";
  claimBoundary(output, chunk, signal, note);
  output.codeUnits += chunk.length;
  output.codePoints += countCodePoints(chunk);
  if (step === "complete") {
    if (open !== undefined) {
      delete session.outputs[key];
      session.outputCount--;
    }
    keepEntry(session.finishedOutputs, recordKeyOf(id), 1, AAEP_SESSION_LIMITS.finishedOutputs);
    return;
  }
  if (open === undefined) {
    if (session.outputCount >= AAEP_SESSION_LIMITS.outputs) {
      session.outputsForgotten = true;
      return;
    }
    session.outputCount++;
    session.outputs[key] = output;
  }
}

/** Checks the boundary claimed by the previous chunk, which only the beginning of the next chunk can confirm. */
function claimBoundary(output: OutputProgress, chunk: string, { value, at }: AaepSignal, note: NoteFinding): void {
  if (chunk === "") return;
  const { claim } = output;
  if (claim !== undefined && !endsOn(claim.hint, claim.tail, chunk.slice(0, TAIL))) {
    note("aaep/coalesce-hint-true", `The chunk before says that it ends on a ${claim.hint}, and goes on in ${quoteState(chunk)}.`, {
      pointer: "/coalesce_hint",
      since: claim.at,
    });
  }
  const hint = readTextField(value, "coalesce_hint");
  if (hint !== undefined && BOUNDARIES.has(hint)) output.claim = { hint, tail: chunk.slice(-TAIL), at };
  else delete output.claim;
}

const TAIL = 16;
const BOUNDARIES = new Set(["word", "sentence", "paragraph"]);

/** A lenient check: no heuristic finds word boundaries in scripts without spaces between words. */
function endsOn(hint: string, tail: string, head: string): boolean {
  if (hint === "paragraph") return endsLine(tail) || /^\s*\n/.test(head);
  const followsLetter = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]$/u.test(tail);
  if (hint === "word") return !(followsLetter && /^\p{Ll}/u.test(head));
  if (followsLetter && /^\p{L}/u.test(head)) return false;
  return !/[\p{L}\p{N},]\s*$/u.test(tail) || endsLine(tail) || !/^\s*\p{Ll}/u.test(head);
}

/** Whether only white space follows the last line break. */
function endsLine(text: string): boolean {
  return text.slice(text.trimEnd().length).includes("\n");
}

export function noteOpenOutputs(session: AaepSessionState, note: NoteFinding, at: "end" | "terminal"): void {
  let told = 0;
  for (const key in session.outputs) {
    const output = session.outputs[key];
    if (output === undefined || told++ >= 20) continue;
    const when = at === "terminal" ? "The session ends" : "The recording ends";
    note("aaep/output-completes", `${when}, and ${nameOf(key.slice(1))} has no chunk with complete true.`, { since: output.at });
  }
}

function checkPosition(output: OutputProgress, position: unknown, note: NoteFinding, id: string): void {
  if (typeof position !== "number") return;
  const fits = (position === output.codePoints ? 1 : 0) | (position === output.codeUnits ? 2 : 0);
  const agreed = output.units & fits;
  if (agreed === 0) {
    const rule = position < output.position ? "aaep/output-position-rises" : "aaep/output-position";
    const sent =
      output.codePoints === output.codeUnits ? `${output.codePoints}` : `${output.codePoints} (or ${output.codeUnits} UTF-16 units)`;
    const mixed = fits !== 0 ? "; earlier positions counted in the other unit" : "";
    note(rule, `position is ${position}, but ${sent} characters of ${nameOf(id)} were sent before${mixed}.`, { pointer: "/position" });
    // Continue from the producer's count, so one mistake is reported once.
    output.codePoints = position;
    output.codeUnits = position;
    output.units = 3;
  } else {
    output.units = agreed;
  }
  output.position = position;
}

function nameOf(id: string): string {
  return id === IMPLICIT ? "the session's output" : `output ${quoteState(id)}`;
}

export function checkCompletionHint({ coalesce_hint: hint, complete }: JsonObject): void {
  if (hint === "completion" && complete === false) {
    readNote("aaep/coalesce-hint-true", 'The hint is "completion", and the output is not complete.', "/coalesce_hint");
  }
}
