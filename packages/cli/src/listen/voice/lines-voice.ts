import type { Utterance, Voice } from "./voice.ts";

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
