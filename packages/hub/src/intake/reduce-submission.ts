import type { RedactionMark, Submission } from "../ledger/ledger.ts";
import { reduce } from "./capture.ts";
import { concernsChunks, type OpenTexts, redactChunkEvent } from "./redact-chunk-events.ts";
import type { SettingsOf } from "./source-settings.ts";

/** Sessions whose texts in pieces are remembered. */
const MAX_SESSIONS = 256;

/**
 * Takes from submissions what is not to be kept: secrets that are split over several events, and texts that the capture level of
 * their source leaves out. To be called in the order in which they were said. The beginning of a split secret is remembered in
 * memory alone. The reading stays whole: judged by what is left, a session would break rules that it has kept.
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
