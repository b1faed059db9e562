import type { RedactionMark, Submission } from "../ledger/ledger.ts";
import { reduce } from "./capture.ts";
import { concernsChunks, type OpenTexts, redactChunkEvent } from "./redact-chunk-events.ts";
import type { SettingsOf } from "./source-settings.ts";

/** Maximum sessions with remembered partial texts. */
const MAX_SESSIONS = 256;

/**
 * Removes what must not be stored: secrets split over several events, and texts beyond the source's capture level. Call it in order of
 * arrival. The beginning of a split secret is only kept in memory. The reading stays whole, because judging the reduced text would report
 * false violations.
 */
export function createReducer(settingsOf: SettingsOf): (submission: Submission) => Submission {
  const sessions = new Map<string, OpenTexts>();
  const maskChunk = (submission: Submission) => {
    const { source, session, reading, text } = submission;
    if (!concernsChunks(reading.type)) return undefined;
    const key = `${source.protocol} ${source.name} ${session}`;
    const open: OpenTexts = sessions.get(key) ?? new Map();
    const masked = redactChunkEvent(open, reading, text);
    sessions.delete(key);
    if (open.size > 0) sessions.set(key, open);
    for (const oldest of sessions.keys()) {
      if (sessions.size <= MAX_SESSIONS) break;
      sessions.delete(oldest);
    }
    return masked;
  };
  return (submission) => {
    const { source, reading, text } = submission;
    const { redact, capture } = settingsOf(source);
    if (capture === "full" && !redact) return submission;
    const masked = redact ? maskChunk(submission) : undefined;
    const reduced = reduce(masked?.text ?? text, masked?.value ?? reading.value, capture, source.protocol);
    const kept = reduced?.text ?? masked?.text;
    if (kept === undefined) return submission;
    const redactions: readonly RedactionMark[] = [...submission.redactions, ...(masked?.marks ?? [])];
    return { ...submission, text: kept, whole: text, redactions };
  };
}
