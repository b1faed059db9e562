/** A line of the voice's log: the start of an utterance, or how far it came. */
export type VoiceLine =
  | { readonly began: number; readonly words: readonly string[] }
  /** Number of words spoken before its end or interruption. */
  | { readonly ended: number; readonly said: number };

/** A text given to the voice. */
export interface Utterance {
  readonly heard: string;
  /** The unspoken rest of an interrupted text. */
  readonly unheard: string;
  readonly isOver: boolean;
}

export function readUtterances(lines: readonly VoiceLine[]): readonly Utterance[] {
  const all: Utterance[] = [];
  let words: readonly string[] = [];
  for (const line of lines) {
    if ("began" in line) {
      words = line.words;
      all.push({ heard: words.join(" "), unheard: "", isOver: false });
    } else all.splice(-1, 1, { heard: words.slice(0, line.said).join(" "), unheard: words.slice(line.said).join(" "), isOver: true });
  }
  return all;
}
