import type { Segment } from "@earshot/narrate";

/** Speaks announcements, or replaces speech. */
export interface SpeechVoice {
  /** The user-visible name: `espeak-ng`. */
  readonly name: string;
  /** Whether texts are audible rather than only printed. */
  readonly isSpoken: boolean;
  /** Begins to speak. One text at a time: the caller stops the previous one first. */
  speak(segments: readonly Segment[], manner: SpeechSettings): SpokenUtterance;
}

/** Speech settings. */
export interface SpeechSettings {
  readonly paceWpm: number;
  /** BCP 47 tag for segments without one. */
  readonly language: string;
}

/** A text being spoken. */
export interface SpokenUtterance {
  /** `said`: to its end. `stopped`: interrupted. Rejects if the voice fails. */
  readonly over: Promise<"said" | "stopped">;
  /** Silences it at once. */
  stop(): void;
}

/** The maximum text length per process. */
const LONGEST_BREATH = 2000;

/** Joins consecutive segments of one language into breaths of limited length. */
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

/** Split between words if possible. */
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
 * Does not speak: only the printed lines. A line counts as spoken when printed and cannot be interrupted; the announcer keeps the pace.
 */
export class LinesVoice implements SpeechVoice {
  readonly name = "lines";
  readonly isSpoken = false;

  speak(): SpokenUtterance {
    return { over: Promise.resolve("said"), stop: () => {} };
  }
}
