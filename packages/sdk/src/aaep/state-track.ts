import type { Question, QuestionEnding } from "@earshot/aaep/speaking";
import type { Summary } from "./clean-text.ts";

export interface StateChange {
  readonly from: string;
  readonly to: string;
  readonly summary?: Summary | undefined;
  /** The settled question, if the change reports one. */
  readonly about?: { readonly question: Question; readonly ending: QuestionEnding };
}

/**
 * Reports the agent's activity as one chain of states. While a question is open, the state stays `awaiting_input`, because clients close
 * its dialog on any other state; while a tool runs, it stays `calling_tool`. The agent's own state changes are reported afterwards.
 */
export class StateTrack {
  readonly #report: (change: StateChange) => void;
  #current = "idle";
  /** The state when no visible activity is under way. */
  #otherwise = "thinking";
  #tools = 0;
  #outputs = 0;
  #isAsking = false;
  #hasToldOfOutput = false;

  constructor(tell: (change: StateChange) => void) {
    this.#report = tell;
  }

  get current(): string {
    return this.#current;
  }

  get isCallingTool(): boolean {
    return this.#tools > 0;
  }

  /** A state set by the agent. */
  enter(state: string, summary?: Summary): void {
    this.#otherwise = state;
    if (!this.#isBound && (state !== this.#current || summary !== undefined)) this.#change(state, summary);
  }

  toolStarts(): void {
    this.#tools++;
    if (this.#current !== "calling_tool") this.#change("calling_tool");
  }

  /** Called after the tool's end was reported. */
  toolEnded(): void {
    this.#tools--;
    if (!this.#isBound && this.#current === "calling_tool") this.#change(this.#outputs > 0 ? "writing_output" : this.#otherwise);
  }

  outputStarts(): void {
    this.#outputs++;
  }

  /** Called before output. */
  writes(): void {
    if (!this.#isBound && this.#current !== "writing_output") this.#change("writing_output");
  }

  /** Called after the last output. */
  outputEnded(): void {
    this.#outputs--;
    // Reported late if it could not be reported earlier: the text itself showed that output was written.
    if (this.#isBound && !this.#hasToldOfOutput) this.#change(this.#current, undefined, "writing_output");
  }

  asks(): void {
    this.#isAsking = true;
    this.#change("awaiting_input");
  }

  /** The question is over; the summary states its result. */
  asked(to: "calling_tool" | "thinking", summary: Summary, about: Required<StateChange>["about"]): void {
    this.#isAsking = false;
    const from = this.#current;
    this.#current = to;
    this.#report({ from, to, summary, about });
    if (this.#tools > 0 && to !== "calling_tool") this.#change("calling_tool");
  }

  handsOff(summary: Summary | undefined): void {
    this.#change("handing_off", summary);
  }

  get #isBound(): boolean {
    return this.#isAsking || this.#tools > 0;
  }

  #change(to: string, summary?: Summary, from = this.#current): void {
    this.#current = to;
    if (from === "writing_output" || to === "writing_output") this.#hasToldOfOutput = true;
    this.#report({ from, to, ...(summary === undefined ? {} : { summary }) });
  }
}
