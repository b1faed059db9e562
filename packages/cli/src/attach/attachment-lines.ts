import type { AttachmentState, AttachmentView } from "@earshot/hub";
import { whenInWords } from "../inbox/time-words.ts";
import { visibleBeginning } from "../inbox/visible-text.ts";
import { countInWords } from "../keeping/quantities.ts";

const STATES: Readonly<Record<AttachmentState, string>> = {
  connecting: "connecting",
  open: "attached",
  cut: "cut off; the hub tries again by itself",
  ended: "ended",
  failed: "failed",
};

/** One producer that the hub listens to, in words. What the producer says of itself is shown as text and nothing else. */
export function attachmentLines(view: AttachmentView, now: number, timeZone?: string): readonly string[] {
  const { id, source, state, agent, by, at, events, lastEventAt, trouble, notes } = view;
  const when = (iso: string) => whenInWords(Date.parse(iso), now, timeZone);
  const last = lastEventAt === null ? "" : `, the last at ${when(lastEventAt)}`;
  return [
    `${shown(source)} (${id}): ${STATES[state]}${agent === null ? "" : `, ${shown(agent)}`}`,
    `  ${countInWords(events, "event")} since the hub was started${last}; attached by ${shown(by)} at ${when(at)}`,
    ...(trouble === null ? [] : [`  ${shown(trouble)}`]),
    ...(notes === null ? [] : [`  The producer says: ${shown(notes)}`]),
  ];
}

function shown(text: string): string {
  return visibleBeginning(text, 300);
}
