import { toDisplayText } from "../plain/text.ts";
import { maskSecretsInText } from "./clean-text.ts";
import { toLanguage, toOneOf } from "./facts.ts";
import type { SessionCore } from "./session-core.ts";
import type { OutputOptions } from "./session-options.ts";
import { type TextChunk, TextChunks } from "./text-chunks.ts";

const CONTENT_TYPE = /^[a-zA-Z][a-zA-Z0-9.+_-]{0,63}\/[a-zA-Z][a-zA-Z0-9.+_-]{0,63}$/;
const BOUNDARIES = ["word", "sentence", "paragraph", "completion"] as const;

/** A text reported while it is written, in parts with their offsets in code points. */
export class SpokenOutput {
  readonly #core: SessionCore;
  readonly #chunks: TextChunks;
  readonly #facts: Readonly<Record<string, string | undefined>>;
  readonly #hasEnded: (output: SpokenOutput) => void;
  #position = 0;
  #isOpen = false;
  #isOver = false;

  constructor(core: SessionCore, options: Partial<OutputOptions>, hasEnded: (output: SpokenOutput) => void) {
    const language = toLanguage(options.language);
    this.#core = core;
    this.#hasEnded = hasEnded;
    const boundary = toOneOf(options.boundary, BOUNDARIES) ?? "sentence";
    this.#chunks = new TextChunks({ boundary, language: language ?? core.language });
    const type = typeof options.contentType === "string" && CONTENT_TYPE.test(options.contentType) ? options.contentType : undefined;
    this.#facts = { output_id: core.ports.newId("out"), content_type: type, language };
  }

  write(piece: unknown): void {
    if (this.#isOver) return;
    for (const { text, hint } of this.#chunks.push(toDisplayText(piece))) this.#report(text, hint, false);
  }

  /** Ends the output once, with its remaining text. */
  finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#hasEnded(this);
    const rest = this.#chunks.end();
    if (rest === "" && !this.#isOpen) return; // nothing was ever written
    this.#report(rest, "completion", true);
    this.#core.states.outputEnded();
  }

  #report(said: string, hint: TextChunk["hint"], complete: boolean): void {
    if (!this.#isOpen) {
      this.#isOpen = true;
      this.#core.states.outputStarts();
    }
    this.#core.states.writes();
    const chunk = maskSecretsInText(said.toWellFormed().normalize("NFC"));
    const position = this.#position;
    for (const _ of chunk) this.#position++;
    this.#core.emit("output.streaming", { chunk, position, complete, coalesce_hint: hint, ...this.#facts });
  }
}
