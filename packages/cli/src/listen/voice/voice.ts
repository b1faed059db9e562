import type { Segment } from "@earshot/narrate";

/** What says announcements aloud, or in its place. */
export interface Voice {
  /** As a person knows it: `espeak-ng`. */
  readonly name: string;
  /** Whether what is said can be heard, and not only read. */
  readonly isHeard: boolean;
  /** Begins to say it. One thing at a time: whoever says something else stops this first. */
  say(segments: readonly Segment[], manner: Manner): Utterance;
}

/** How it is said. */
export interface Manner {
  readonly paceWpm: number;
  /** BCP 47, of segments that name none. */
  readonly language: string;
}

/** Something that is being said. */
export interface Utterance {
  /** `said`: to its end. `stopped`: it was told to stop. Rejects when the voice cannot speak. */
  readonly over: Promise<"said" | "stopped">;
  /** Silent at once. */
  stop(): void;
}

/** No program is given longer words than this. */
const LONGEST_BREATH = 2000;

/** Segments of one language that follow each other are said in one breath, as far as that is long enough. */
export function inBreaths(segments: readonly Segment[], language: string): readonly Required<Segment>[] {
  const breaths: Required<Segment>[] = [];
  for (const segment of segments) {
    for (const text of pieces(segment.text.trim())) {
      const spoken = segment.language ?? language;
      const last = breaths.at(-1);
      if (last?.language === spoken && last.text.length + text.length < LONGEST_BREATH)
        breaths[breaths.length - 1] = { language: spoken, text: `${last.text} ${text}` };
      else breaths.push({ language: spoken, text });
    }
  }
  return breaths;
}

/** Cut between words where there is a place for it. */
function pieces(text: string): readonly string[] {
  const found: string[] = [];
  for (let rest = text; rest !== ""; ) {
    const gap = rest.length <= LONGEST_BREATH ? rest.length : rest.lastIndexOf(" ", LONGEST_BREATH);
    const end = gap > 0 ? gap : LONGEST_BREATH;
    found.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return found;
}

/**
 * Says nothing: the lines that are printed are all there is. A line is said when it stands there, and cannot be cut short; the
 * announcer keeps the pace.
 */
export class LinesVoice implements Voice {
  readonly name = "lines";
  readonly isHeard = false;

  say(): Utterance {
    return { over: Promise.resolve("said"), stop: () => {} };
  }
}
