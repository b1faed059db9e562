import { spaceWords } from "../amounts.ts";
import type { DescriptionVoice, NarrationTone } from "./narration.ts";
import { DescriptionWords } from "./narration.ts";

const STATUS_TONES: Readonly<Record<string, NarrationTone>> = {
  running: "busy",
  waiting: "warn",
  stalled: "bad",
  completed: "good",
  failed: "bad",
  timeout: "bad",
};

/** The status of a session in words. A status that only a newer hub knows is named as it is. */
export function describeStatus(status: string, voice: DescriptionVoice): { readonly words: string; readonly tone: NarrationTone } {
  const { statuses } = new DescriptionWords(voice).story;
  const words = Object.hasOwn(statuses, status) ? statuses[status as keyof typeof statuses] : spaceWords(status);
  return { words, tone: STATUS_TONES[status] ?? "plain" };
}

/** An irregularity of a session. */
export function describeSessionMark(mark: string, voice: DescriptionVoice): string {
  const { sessionMarks } = new DescriptionWords(voice).story;
  return Object.hasOwn(sessionMarks, mark) ? sessionMarks[mark as keyof typeof sessionMarks] : spaceWords(mark);
}
