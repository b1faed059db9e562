import { EarshotError, isProtocolName } from "@earshot/protocol";
import type { EventSource, RedactionMark, Submission } from "../ledger/ledger.ts";
import { BoundedMap } from "../recent.ts";
import { CAPTURE_LEVELS, type CaptureLevel, reduceToLevel } from "./capture.ts";
import { concernsChunks, type OpenTexts, redactChunkEvent } from "./redact-chunk-events.ts";

/** How much of a source's events is stored. */
export interface SourceSettings {
  /** Whether known secret shapes are masked. */
  readonly redact: boolean;
  readonly capture: CaptureLevel;
}

export type SettingsOf = (source: EventSource) => SourceSettings;

const DEFAULT: SourceSettings = { redact: true, capture: "full" };

/** Settings by `all`, by protocol (`aop`), or by protocol and name (`aop/local`); the most specific applies. */
export function createSettings(rules: Readonly<Record<string, Partial<SourceSettings>>>): SettingsOf {
  // Cached by protocol and name: read three times per event, and building a combined key costs more than the lookup.
  const known = { aaep: new Map<string, SourceSettings>(), aep: new Map<string, SourceSettings>(), aop: new Map<string, SourceSettings>() };
  return ({ protocol, name }) => {
    const names = known[protocol];
    let settings = names.get(name);
    if (settings === undefined) {
      settings = { ...DEFAULT, ...rules["all"], ...rules[protocol], ...rules[`${protocol}/${name}`] };
      if (names.size < MAX_KNOWN) names.set(name, settings);
    }
    return settings;
  };
}

/** Per protocol. */
const MAX_KNOWN = 4000;

/** `aop=minimal`, or `minimal` for all sources. */
export function readCapture(text: string): readonly [source: string, level: CaptureLevel] {
  const equals = text.indexOf("=");
  const source = equals < 0 ? "all" : text.slice(0, equals);
  const level = CAPTURE_LEVELS.find((one) => one === text.slice(equals + 1));
  if (level === undefined)
    throw wrong(`${JSON.stringify(text)} names no capture level.`, `One of ${CAPTURE_LEVELS.join(", ")}; or aop=minimal for one protocol.`);
  return [readSourceSelector(source), level];
}

export function readSourceSelector(text: string): string {
  const [protocol = ""] = text.split("/", 1);
  if (text === "all" || isProtocolName(protocol)) return text;
  throw wrong(`${JSON.stringify(text)} names no source.`, "A source is all, a protocol (aaep, aep, aop), or aop/local.");
}

function wrong(message: string, hint: string): EarshotError {
  return new EarshotError({ code: "WRONG_USAGE", message, hint });
}

/** Maximum sessions with remembered partial texts. */
const MAX_SESSIONS = 256;

/**
 * Removes what must not be stored: secrets split over several events, and texts beyond the source's capture level. Call it in order of
 * arrival. The beginning of a split secret is only kept in memory. The reading stays whole, because judging the reduced text would report
 * false violations.
 */
export function createReducer(settingsOf: SettingsOf): (submission: Submission) => Submission {
  const sessions = new BoundedMap<OpenTexts>(MAX_SESSIONS);
  const maskChunk = (submission: Submission) => {
    const { source, session, reading, text } = submission;
    if (!concernsChunks(reading.type)) return undefined;
    const key = `${source.protocol} ${source.name} ${session}`;
    const open: OpenTexts = sessions.get(key) ?? new Map();
    const masked = redactChunkEvent(open, reading, text);
    if (open.size > 0) sessions.set(key, open);
    else sessions.delete(key);
    return masked;
  };
  return (submission) => {
    const { source, reading, text } = submission;
    const { redact, capture } = settingsOf(source);
    if (capture === "full" && !redact) return submission;
    const masked = redact ? maskChunk(submission) : undefined;
    const reduced = reduceToLevel(masked?.text ?? text, masked?.value ?? reading.value, capture, source.protocol);
    const kept = reduced?.text ?? masked?.text;
    if (kept === undefined) return submission;
    const redactions: readonly RedactionMark[] = [...submission.redactions, ...(masked?.marks ?? [])];
    return { ...submission, text: kept, whole: text, redactions };
  };
}
