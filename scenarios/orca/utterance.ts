/** What the voice writes down, a line each: what it begins to say, and how far it came. */
export type VoiceLine =
  | { readonly began: number; readonly words: readonly string[] }
  /** How many of the words were said when it ended or was broken off. */
  | { readonly ended: number; readonly said: number };

/** Something that was handed to the voice. */
export interface Utterance {
  readonly heard: string;
  /** What was left of it when it was broken off. */
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
