import { setImmediate as nextTurn } from "node:timers/promises";
import type { Problem } from "@earshot/protocol";
import type { Ledger, Refusal, Source, Submission } from "../ledger/ledger.ts";
import type { Meter } from "../metrics/metrics.ts";
import type { NewRequest } from "../request.ts";
import type { Verdict } from "../verdict.ts";
import type { Admission } from "./admission.ts";
import type { Piece } from "./piece.ts";
import { redactBeginning, redactProblem, redactText } from "./redact-text.ts";
import { type Origin, readSubmission } from "./submission.ts";

export interface Ports {
  readonly ledger: Ledger;
  readonly admission: Admission;
  readonly now: () => number;
  /** Whether secrets of known shapes are masked in what a source says. */
  readonly redacts: (source: Source) => boolean;
  /** Says that the hub is about to stop: a long stream is ended between two batches, and its sender told how far it came. */
  readonly stopping?: AbortSignal;
  readonly meter?: Meter;
  /** What waits for an answer: told everything that is heard, and asked which of it opens a request. */
  readonly asking?: Asking;
}

/** The part of decisions that intake knows. */
export interface Asking {
  /** What a submission asks; undefined where it asks nothing. */
  consider(submission: Submission): Consideration | undefined;
  /** Told what became of all of them, whether they asked something or not. */
  heard(submissions: readonly Submission[], verdicts: readonly Verdict[]): void;
  /** Whether there is such a request. */
  knows(request: string): Promise<boolean>;
}

/** `open`: a request to be opened with it. `known`: it is one already. `notAsked`: why it is kept, and nobody is asked. */
export type Consideration = { readonly open: NewRequest } | { readonly known: string } | { readonly notAsked: Problem };

/** As much of what was refused as is kept. */
const KEPT_CHARACTERS = 4096;

/** The life of some events: read, judge, append. Whoever listens is woken by the ledger, after it has them. */
export async function receive(pieces: readonly Piece[], origin: Origin, ports: Ports): Promise<readonly Verdict[]> {
  const options = { receivedAt: ports.now(), redacts: ports.redacts };
  const submissions: Submission[] = [];
  const questions = new Map<number, Consideration>();
  const verdicts = pieces.map((piece): Verdict | undefined => {
    const read =
      "problem" in piece ? { ok: false as const, problem: piece.problem } : readSubmission(piece.text, piece.sizeBytes, origin, options);
    if (!read.ok) return read;
    // An import asks nothing: it is history. Nor does one who has said that it takes no answers.
    const question = origin.byContent === true || origin.asks === false ? undefined : ports.asking?.consider(read.submission);
    if (question !== undefined) questions.set(submissions.length, question);
    submissions.push(withRequest(read.submission, question));
    return undefined;
  });
  const stored = submissions.length === 0 ? [] : await append(submissions, ports);
  const asked = questions.size === 0 ? stored : await withQuestions(stored, questions, ports);
  let next = 0;
  const all = verdicts.map((verdict): Verdict => {
    const protocol = verdict === undefined ? submissions[next]?.source.protocol : origin.protocol;
    const final = verdict ?? (asked[next++] as Verdict);
    ports.meter?.countVerdict(protocol ?? "unknown", final);
    return final;
  });
  if (!all.every(({ ok }) => ok)) ports.ledger.refuse(refusals(pieces, all, origin, options.receivedAt)); // nothing is lost, not even nonsense
  // Nothing of it waited for the disk: without this, a stream of nonsense would leave nobody else a turn.
  if (submissions.length === 0 && pieces.length > 1) await nextTurn();
  return all;
}

/** The same when there is room for them; when there is none for so long, they are refused as a whole. */
export async function receiveSoon(pieces: readonly Piece[], origin: Origin, ports: Ports, roomMs: number): Promise<readonly Verdict[]> {
  const bytes = bytesOf(pieces);
  await ports.admission.admitSoon(origin.name, bytes, roomMs);
  try {
    return await receive(pieces, origin, ports);
  } finally {
    ports.admission.release(origin.name, bytes);
  }
}

/** How much room they take while they wait for the disk. */
function bytesOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + ("problem" in piece ? piece.head.length : piece.sizeBytes), 0);
}

/** What it asks is opened with it, in the same transaction. */
function withRequest(submission: Submission, question: Consideration | undefined): Submission {
  return question !== undefined && "open" in question ? { ...submission, request: question.open } : submission;
}

/** Whoever asked is told under which name the answer will be found, or why there will be none. */
function withQuestions(
  verdicts: readonly Verdict[],
  questions: ReadonlyMap<number, Consideration>,
  { asking }: Ports,
): Promise<readonly Verdict[]> {
  const told = verdicts.map(async (verdict, index): Promise<Verdict> => {
    const question = questions.get(index);
    if (question === undefined || !verdict.ok) return verdict;
    if ("notAsked" in question) return verdict.duplicate ? verdict : { ...verdict, notAsked: question.notAsked };
    if ("known" in question) return { ...verdict, request: question.known };
    const { id } = question.open;
    // Said before: it may have asked nothing then.
    return verdict.duplicate && (await asking?.knows(id)) !== true ? verdict : { ...verdict, request: id };
  });
  return Promise.all(told);
}

async function append(submissions: readonly Submission[], { ledger, asking }: Ports): Promise<readonly Verdict[]> {
  try {
    const verdicts = await ledger.append(submissions);
    asking?.heard(submissions, verdicts);
    return verdicts;
  } catch (error) {
    const problem: Problem = { code: "LEDGER_UNAVAILABLE", message: "Not stored." };
    asking?.heard(
      submissions,
      submissions.map(() => ({ ok: false, problem })),
    ); // nothing of it was opened
    throw error;
  }
}

function refusals(pieces: readonly Piece[], verdicts: readonly Verdict[], origin: Origin, receivedAt: number): readonly Refusal[] {
  return pieces.flatMap((piece, index) => {
    const verdict = verdicts[index];
    if (verdict === undefined || verdict.ok) return [];
    const said = "problem" in piece ? piece.head.toString("utf8") : piece.text;
    const isWhole = said.length <= KEPT_CHARACTERS && !("problem" in piece && piece.head.length < piece.sizeBytes);
    const { text } = isWhole ? redactText(said) : redactBeginning(said.slice(0, KEPT_CHARACTERS));
    return [{ receivedAt, source: origin.name, problem: redactProblem(verdict.problem), text, sizeBytes: piece.sizeBytes }];
  });
}
