import { spaceWords } from "../amounts.ts";
import type { NarrationTone, Voice } from "./narration.ts";
import { Wording } from "./narration.ts";

const STATUS_TONES: Readonly<Record<string, NarrationTone>> = {
  running: "busy",
  waiting: "warn",
  stalled: "bad",
  completed: "good",
  failed: "bad",
  timeout: "bad",
};

/** The status of a session in words. A status that only a newer hub knows is named as it is. */
export function describeStatus(status: string, voice: Voice): { readonly words: string; readonly tone: NarrationTone } {
  const { statuses } = new Wording(voice).story;
  const words = Object.hasOwn(statuses, status) ? statuses[status as keyof typeof statuses] : spaceWords(status);
  return { words, tone: STATUS_TONES[status] ?? "plain" };
}

/** An irregularity of a session. */
export function describeSessionMark(mark: string, voice: Voice): string {
  const { sessionMarks } = new Wording(voice).story;
  return Object.hasOwn(sessionMarks, mark) ? sessionMarks[mark as keyof typeof sessionMarks] : spaceWords(mark);
}
