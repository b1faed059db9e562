import { setImmediate as nextTurn } from "node:timers/promises";
import type { Problem } from "@earshot/protocol";
import type { EventSource, Ledger, RefusedEvent, Submission } from "../ledger/ledger.ts";
import type { Meter } from "../metrics/metrics.ts";
import type { NewRequest } from "../request.ts";
import type { StoredVerdict, Verdict } from "../verdict.ts";
import type { IntakeAdmission } from "./admission.ts";
import type { EventPiece } from "./piece.ts";
import { redactBeginning, redactProblem, redactText } from "./redact-text.ts";
import {
  MAX_TURN_CHARACTERS,
  readInTurns,
  readSubmission,
  type SenderOrigin,
  type SubmissionOptions,
  type SubmissionReading,
} from "./submission.ts";

export interface IntakeContext {
  readonly ledger: Ledger;
  readonly now: () => number;
  /** Whether known secret shapes are masked for a source. */
  readonly redacts: (source: EventSource) => boolean;
  readonly meter?: Meter | undefined;
  /** The requests that events open and change. */
  readonly asking?: RequestOpener;
}

/** The part of decisions that intake uses. */
export interface RequestOpener {
  /** The request that a submission opens; undefined for nothing. */
  consider(submission: Submission): OpeningDecision | undefined;
  /** The result of an event with a request to open. */
  opened(request: NewRequest, verdict: Verdict): void;
  /** A new event was stored. */
  noteStored(submission: Submission, verdict: StoredVerdict): void;
  /** Whether there is such a request. */
  knows(request: string): Promise<boolean>;
}

/** `open`: a request to open with it. `known`: an existing one. `notAsked`: why it is stored without asking anyone. */
export type OpeningDecision = { readonly open: NewRequest } | { readonly known: string } | { readonly notAsked: Problem };

/** How much of a refused text is kept. */
const KEPT_CHARACTERS = 4096;

/**
 * Stores a batch of events: read, judge, append. Every event that enters the hub goes through here; the rules read a hook's event before.
 * The ledger wakes its followers after the commit.
 */
export async function receive(
  events: readonly (EventPiece | Submission)[],
  origin: SenderOrigin,
  context: IntakeContext,
): Promise<readonly Verdict[]> {
  const options = { receivedAt: context.now(), redacts: context.redacts };
  const submissions: Submission[] = [];
  const questions = new Map<number, OpeningDecision>();
  const verdicts: (Verdict | undefined)[] = [];
  let characters = 0;
  for (const event of events) {
    const text = "problem" in event || "reading" in event ? "" : event.text;
    characters += text.length;
    if (characters > MAX_TURN_CHARACTERS && characters > text.length) {
      await nextTurn(); // masking takes a while
      characters = text.length;
    }
    const isLong = text.length > MAX_TURN_CHARACTERS;
    const read = isLong
      ? await readInTurns(text, "sizeBytes" in event ? event.sizeBytes : 0, origin, options)
      : readOnce(event, origin, options);
    if (!read.ok) {
      verdicts.push(read);
      continue;
    }
    // An import opens no request, nor does a sender that takes no answers.
    const question = origin.byContent === true || origin.asks === false ? undefined : context.asking?.consider(read.submission);
    if (question !== undefined) questions.set(submissions.length, question);
    submissions.push(withRequest(read.submission, question));
    verdicts.push(undefined);
  }
  const stored = submissions.length === 0 ? [] : await append(submissions, questions, context);
  const asked = questions.size === 0 ? stored : await withQuestions(stored, questions, context);
  let next = 0;
  const all = verdicts.map((verdict): Verdict => {
    const protocol = verdict === undefined ? submissions[next]?.source.protocol : origin.protocol;
    const final = verdict ?? (asked[next++] as Verdict);
    context.meter?.countVerdict(protocol ?? "unknown", final);
    return final;
  });
  if (!all.every(({ ok }) => ok)) context.ledger.refuse(refusals(events, all, origin, options.receivedAt));
  // No write was awaited: without a turn of the event loop, a stream of unreadable text would block all other work.
  if (submissions.length === 0 && events.length > 1) await nextTurn();
  return all;
}

/** As `receive`, once there is memory; refuses the whole batch if there is none within `roomMs`. */
export async function receiveSoon(
  pieces: readonly EventPiece[],
  origin: SenderOrigin,
  context: IntakeContext & { readonly admission: IntakeAdmission },
  roomMs: number,
): Promise<readonly Verdict[]> {
  const bytes = bytesOf(pieces);
  await context.admission.admitSoon(origin.name, bytes, roomMs);
  try {
    return await receive(pieces, origin, context);
  } finally {
    context.admission.release(origin.name, bytes);
  }
}

function readOnce(event: EventPiece | Submission, origin: SenderOrigin, options: SubmissionOptions): SubmissionReading {
  if ("problem" in event) return { ok: false, problem: event.problem };
  return "reading" in event ? { ok: true, submission: event } : readSubmission(event.text, event.sizeBytes, origin, options);
}

/** Their size while they wait for the disk. */
function bytesOf(pieces: readonly EventPiece[]): number {
  return pieces.reduce((sum, piece) => sum + ("problem" in piece ? piece.head.length : piece.sizeBytes), 0);
}

/** Its request is opened in the same transaction. */
function withRequest(submission: Submission, question: OpeningDecision | undefined): Submission {
  return question !== undefined && "open" in question ? { ...submission, request: question.open } : submission;
}

/** Tells the asker the request's id, or why there is none. */
function withQuestions(
  verdicts: readonly Verdict[],
  questions: ReadonlyMap<number, OpeningDecision>,
  { asking }: IntakeContext,
): Promise<readonly Verdict[]> {
  const told = verdicts.map(async (verdict, index): Promise<Verdict> => {
    const question = questions.get(index);
    if (question === undefined || !verdict.ok) return verdict;
    if ("notAsked" in question) return verdict.duplicate ? verdict : { ...verdict, notAsked: question.notAsked };
    if ("known" in question) return { ...verdict, request: question.known };
    const { id } = question.open;
    // A repeated event may not have asked anything the first time.
    return verdict.duplicate && (await asking?.knows(id)) !== true ? verdict : { ...verdict, request: id };
  });
  return Promise.all(told);
}

async function append(
  submissions: readonly Submission[],
  questions: ReadonlyMap<number, OpeningDecision>,
  { ledger, asking }: IntakeContext,
): Promise<readonly Verdict[]> {
  const tell = (verdictOf: (index: number) => Verdict | undefined) => {
    for (const [index, submission] of submissions.entries()) {
      const [question, verdict] = [questions.get(index), verdictOf(index)];
      if (verdict === undefined) continue;
      if (question !== undefined && "open" in question) asking?.opened(question.open, verdict);
      if (verdict.ok && !verdict.duplicate) asking?.noteStored(submission, verdict);
    }
  };
  try {
    const verdicts = await ledger.append(submissions);
    tell((index) => verdicts[index]);
    return verdicts;
  } catch (error) {
    tell(() => ({ ok: false, problem: { code: "LEDGER_UNAVAILABLE", message: "Not stored." } }));
    throw error;
  }
}

function refusals(
  events: readonly (EventPiece | Submission)[],
  verdicts: readonly Verdict[],
  origin: SenderOrigin,
  receivedAt: number,
): readonly RefusedEvent[] {
  return events.flatMap((event, index) => {
    const verdict = verdicts[index];
    if (verdict === undefined || verdict.ok) return [];
    const said = "problem" in event ? event.head.toString("utf8") : event.text;
    const sizeBytes = "sizeBytes" in event ? event.sizeBytes : Buffer.byteLength(said);
    const isWhole = said.length <= KEPT_CHARACTERS && !("problem" in event && event.head.length < sizeBytes);
    const { text } = isWhole ? redactText(said) : redactBeginning(said.slice(0, KEPT_CHARACTERS));
    return [{ receivedAt, source: origin.name, problem: redactProblem(verdict.problem), text, sizeBytes }];
  });
}
