import type { Ending, Question } from "@earshot/aaep/speaking";
import type { Summary } from "./words.ts";

export interface StateChange {
  readonly from: string;
  readonly to: string;
  readonly summary?: Summary | undefined;
  /** The question that is over, where the change tells of it. */
  readonly about?: { readonly question: Question; readonly ending: Ending };
}

/**
 * What the agent is doing, as the protocol wants it told: one chain of states. While a person is being asked, the state stays
 * `awaiting_input`, since whoever shows the question takes it away when it does not; while a tool runs, it stays
 * `calling_tool`. What the agent says of itself meanwhile is told when that is over.
 */
export class StateTrack {
  readonly #tell: (change: StateChange) => void;
  #current = "idle";
  /** What the agent does when it does nothing that shows by itself. */
  #otherwise = "thinking";
  #tools = 0;
  #outputs = 0;
  #isAsking = false;
  #hasToldOfOutput = false;

  constructor(tell: (change: StateChange) => void) {
    this.#tell = tell;
  }

  get current(): string {
    return this.#current;
  }

  get isCallingTool(): boolean {
    return this.#tools > 0;
  }

  /** What the agent says of itself. */
  enter(state: string, summary?: Summary): void {
    this.#otherwise = state;
    if (!this.#isBound && (state !== this.#current || summary !== undefined)) this.#change(state, summary);
  }

  toolStarts(): void {
    this.#tools++;
    if (this.#current !== "calling_tool") this.#change("calling_tool");
  }

  /** After the end of the tool was told. */
  toolEnded(): void {
    this.#tools--;
    if (!this.#isBound && this.#current === "calling_tool") this.#change(this.#outputs > 0 ? "writing_output" : this.#otherwise);
  }

  outputStarts(): void {
    this.#outputs++;
  }

  /** Before something is written. */
  writes(): void {
    if (!this.#isBound && this.#current !== "writing_output") this.#change("writing_output");
  }

  /** After the last of it was told. */
  outputEnded(): void {
    this.#outputs--;
    // Told afterwards where it could not be told before: the text itself has shown that something was being written.
    if (this.#isBound && !this.#hasToldOfOutput) this.#change(this.#current, undefined, "writing_output");
  }

  asks(): void {
    this.#isAsking = true;
    this.#change("awaiting_input");
  }

  /** The question is over, and the summary says what became of it. */
  asked(to: "calling_tool" | "thinking", summary: Summary, about: Required<StateChange>["about"]): void {
    this.#isAsking = false;
    const from = this.#current;
    this.#current = to;
    this.#tell({ from, to, summary, about });
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
    this.#tell({ from, to, ...(summary === undefined ? {} : { summary }) });
  }
}
