import type { OfKind } from "@earshot/narrate";
import { DraftStep, type SharedTexts } from "./draft-step.ts";

/** Maximum number of characters joined for one output; the rest is counted. */
const MAX_TEXT = 65_536;
const MAX_OPEN = 64;

interface OpenOutput {
  readonly step: DraftStep;
  readonly pieces: [position: number, text: string][];
  characters: number;
  left: number;
}

/** Joins chunked outputs into one step each: by id, or without one in order of arrival. */
export class OutputJoiner {
  readonly #holding: SharedTexts;
  readonly #open = new Map<string, OpenOutput>();
  readonly #onNew: (step: DraftStep) => void;

  constructor(holding: SharedTexts, onNew: (step: DraftStep) => void) {
    this.#holding = holding;
    this.#onNew = onNew;
  }

  handle({ outputId, text, position, last, of = "response" }: OfKind<"output.chunk">): void {
    const name = outputId === undefined ? `the ${of}` : `id ${of} ${outputId}`;
    const output = this.#open.get(name) ?? this.#begin(name, of);
    if (output.characters + text.length > MAX_TEXT) output.left += text.length;
    else if (text !== "") {
      output.pieces.push([position ?? output.characters, text]);
      output.characters += text.length;
    }
    if (last) this.#close(name, output);
  }

  /** Handles a complete text. After chunks without an id, it repeats their output and replaces it. */
  hearWhole(of: "response" | "thought", text: string): void {
    const name = `the ${of}`;
    const open = this.#open.get(name);
    const step = open?.step ?? this.#createStep(of);
    if (open !== undefined) this.#close(name, open);
    step.set("text", text);
  }

  /** Closes unfinished outputs with the text received so far. */
  end(): void {
    for (const [name, output] of this.#open) this.#close(name, output);
  }

  #begin(name: string, of: "response" | "thought"): OpenOutput {
    const [oldest] = this.#open;
    if (oldest !== undefined && this.#open.size >= MAX_OPEN) this.#close(...oldest);
    const output = { step: this.#createStep(of), pieces: [], characters: 0, left: 0 };
    this.#open.set(name, output);
    return output;
  }

  #createStep(of: "response" | "thought"): DraftStep {
    const step = new DraftStep(of === "thought" ? "thought" : "output", of === "thought" ? "Thought" : "Output", this.#holding);
    this.#onNew(step);
    return step;
  }

  #close(name: string, { step, pieces, left }: OpenOutput): void {
    this.#open.delete(name);
    const text = pieces
      .sort(([one], [other]) => one - other)
      .map(([, piece]) => piece)
      .join("");
    step.set("text", left === 0 ? text : `${text}… (${left} more characters)`);
  }
}
