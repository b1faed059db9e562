import { AAEP, CoverageMeter, isObject, JSON_LIMITS, readJson } from "@earshot/protocol";
import { type LiveFinding, toLiveFinding } from "./live-finding.ts";

export interface Conversation {
  /** Events and messages of both sides, in order. */
  readonly texts: readonly string[];
  /** Whether everything that was begun had the time to end: otherwise nothing is said about what is missing. */
  readonly whole: boolean;
  readonly level: number;
}

export interface Judged {
  readonly findings: readonly LiveFinding[];
  /** Rules that can be decided from a recording, and that this one put to the test. */
  readonly exercised: readonly string[];
  readonly events: number;
}

/** What was said over one connection, judged by the same rules as a recording. */
export function judgeConversation({ texts, whole, level }: Conversation): Judged {
  const findings: LiveFinding[] = [];
  const meter = new CoverageMeter();
  let events = 0;
  const judge = AAEP.createJudge({
    tell: ({ finding, eventId, sessionId }) => findings.push(toLiveFinding(finding, { eventId, sessionId })),
    idCapacity: 200_000,
  });
  texts.forEach((text, index) => {
    const read = readJson(text, JSON_LIMITS);
    if (!read.ok || !isObject(read.value)) return;
    const facts = { ...read.facts, sizeBytes: Buffer.byteLength(text) };
    const reading = AAEP.read(read.value, facts);
    if (reading.kind === "event") events++;
    meter.see(reading);
    judge.hear(reading, index + 1, facts);
  });
  if (whole) judge.end();
  return { findings, exercised: meter.report(AAEP, level).exercised, events };
}
