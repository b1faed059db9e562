import { EarshotError, isProtocolName, type Problem, type ProtocolName } from "@earshot/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Admission } from "../intake/admission.ts";
import { readBody, readSingle } from "../intake/body.ts";
import type { Batch } from "../intake/body-splitter.ts";
import { startNodeTimer } from "../intake/idle-timeout.ts";
import { EMPTY_ARRAY, EMPTY_BODY, type Piece } from "../intake/piece.ts";
import { admitSoon, type Ports, receive, record } from "../intake/receive.ts";
import type { Origin } from "../intake/submission.ts";
import type { Verdict } from "../verdict.ts";
import { callerOf } from "./access.ts";
import { answerProblem, toProblem } from "./answer.ts";

export interface EventLimits {
  /** The longest event. */
  readonly eventBytes: number;
  /** A body that sends nothing for this long is given up. */
  readonly idleMs: number;
  /** A stream that there is no room for is not read any further, for as long as this. */
  readonly roomMs: number;
}

export const EVENT_LIMITS: EventLimits = { eventBytes: 1024 * 1024, idleMs: 30_000, roomMs: 30_000 };

/** How many problems, and how many verdicts when all are asked for, an answer lists. */
export const PROBLEMS_LISTED = 1000;
export const VERDICTS_LISTED = 10_000;
/** An unfinished body keeps at most one event of the longest in memory: so many of them at once, and no more. */
const HOLDING = { queueBytes: 256 * 1024 * 1024, sourceShare: 1 };
const BATCH_EVENTS = 500;
/** Each stream may hold this much while it waits for the disk; what several hold is committed together anyway. */
const BATCH_BYTES = 512 * 1024;
/** Bodies up to this size are gathered before they are looked at: nearly all are one event. */
const GATHERED_BYTES = 256 * 1024;
/** Who has said how much is coming sends it without pausing: one commit for a whole batch, not one for each chunk of it. */
const PATIENCE_MS = 20;
const LINES = new Set(["application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines"]);
const TAKEN = ["application/json", ...LINES];

/** The routes that take events. */
export function registerEvents(app: FastifyInstance, ports: Ports, limits: EventLimits = EVENT_LIMITS): void {
  const holding = new Admission(HOLDING);
  const post = (url: string, summary: string, protocol?: ProtocolName, shape: Shape = "ours") =>
    app.post(url, { config: { access: "speaker", takes: TAKEN, summary } }, (request, reply) =>
      takeEvents(request, reply, { ports, limits, holding, protocol, shape }),
    );
  post("/v1/events", "one event, an array, or NDJSON, in AAEP, AEP or AOP");
  post("/aep/v1/events", "the same, AEP only", "aep");
  post("/aaep/v1/events", "the same, AAEP only", "aaep");
  post("/events", "one AOP event", "aop", "collector");
}

const CUT_OFF: Problem = { code: "BODY_TIMEOUT", message: "The connection was closed before the body was complete." };
const STOPPING: Problem = { code: "LEDGER_UNAVAILABLE", message: "The hub is stopping." };
const ONE_EVENT: Problem = { code: "NOT_AN_OBJECT", message: "This address takes one event, not a list of them." };

/** `collector`: one event, answered as an AOP collector does. */
type Shape = "ours" | "collector";

interface Taking {
  readonly ports: Ports;
  readonly limits: EventLimits;
  /** What unfinished bodies may take together. */
  readonly holding: Admission;
  readonly protocol: ProtocolName | undefined;
  readonly shape: Shape;
}

async function takeEvents(request: FastifyRequest, reply: FastifyReply, taking: Taking): Promise<FastifyReply> {
  const { ports, limits, holding, shape } = taking;
  const layout = layoutOf(request);
  const sender = originOf(request, taking.protocol);
  const { recognise } = request.query as Readonly<Record<string, unknown>>;
  const origin =
    recognise === "content" ? { ...sender, byContent: true } : recognise === "messages" ? { ...sender, messagesByContent: true } : sender;
  const size = Number(request.headers["content-length"] ?? Number.NaN);
  const held = Math.min(Number.isNaN(size) ? limits.eventBytes : size, limits.eventBytes);
  let isHeld = false;
  try {
    holding.admit(origin.name, held);
    isHeld = true;
    if (layout === "json" && size <= GATHERED_BYTES) {
      const body = await gather(request, size, limits);
      const single = readSingle(body, limits.eventBytes);
      if (single !== undefined) return answerSingle(reply, await receive([single], origin, ports), shape);
      if (shape === "collector") throw new EarshotError(ONE_EVENT);
      return await takeBatch([body], request, reply, origin, taking);
    }
    return await takeBatch(request.raw, request, reply, origin, taking);
  } catch (error) {
    countOverload(toProblem(error), origin, ports);
    closeUnlessComplete(request, reply);
    throw error;
  } finally {
    if (isHeld) holding.release(origin.name, held);
  }
}

/** How often senders were turned away shows in the status. */
function countOverload({ code }: Problem, { name }: Origin, { ledger }: Ports): void {
  if (code === "OVERLOADED") ledger.count("overloaded", name, 1);
}

/** What is still to come of a body that was given up must not be taken for the next request, nor waited for. */
function closeUnlessComplete({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (!raw.complete) reply.header("connection", "close");
}

function answerSingle(reply: FastifyReply, [verdict]: readonly Verdict[], shape: Shape): FastifyReply {
  if (verdict === undefined) throw new Error("An event without a verdict.");
  if (!verdict.ok) return answerProblem(reply, verdict.problem);
  reply.header("content-type", "application/json; charset=utf-8");
  const { position, duplicate, flags, redactions, request, notAsked } = verdict;
  if (shape === "collector") return reply.send(`{"ok":true,"position":${position},"duplicate":${duplicate}}`);
  const rest = flags.length === 0 ? "[]" : JSON.stringify(flags);
  const masked = redactions === 0 ? "" : `,"redactions":${redactions}`;
  const asked = request === undefined && notAsked === undefined ? "" : `,${JSON.stringify({ request, notAsked }).slice(1, -1)}`;
  return reply.send(`{"position":${position},"duplicate":${duplicate},"flags":${rest}${masked}${asked}}`);
}

/** What became of a batch, as it is answered. */
class Tally {
  readonly #all: boolean;
  #events = 0;
  #stored = 0;
  #duplicates = 0;
  #refused = 0;
  #flagged = 0;
  #notAsked = 0;
  #first: number | null = null;
  #last: number | null = null;
  readonly #problems: object[] = [];
  readonly #verdicts: object[] = [];

  constructor(all: boolean) {
    this.#all = all;
  }

  add(pieces: readonly Piece[], verdicts: readonly Verdict[]): void {
    for (let index = 0; index < verdicts.length; index++) {
      const verdict = verdicts[index];
      const piece = pieces[index];
      if (verdict === undefined || piece === undefined) continue;
      this.#events++;
      if (verdict.ok) this.#addStored(verdict);
      else {
        this.#refused++;
        if (this.#problems.length < PROBLEMS_LISTED) this.#problems.push({ ...placeOf(piece), ...verdict.problem });
      }
      if (this.#all && this.#verdicts.length < VERDICTS_LISTED) this.#verdicts.push({ ...placeOf(piece), ...verdict });
    }
  }

  answer(): Record<string, unknown> {
    return {
      events: this.#events,
      stored: this.#stored,
      duplicates: this.#duplicates,
      refused: this.#refused,
      flagged: this.#flagged,
      ...(this.#notAsked === 0 ? {} : { notAsked: this.#notAsked }),
      first: this.#first,
      last: this.#last,
      problems: this.#problems,
      problemsNotListed: this.#refused - this.#problems.length,
      ...(this.#all ? { verdicts: this.#verdicts, verdictsNotListed: this.#events - this.#verdicts.length } : {}),
    };
  }

  #addStored({ position, duplicate, flags, notAsked }: Extract<Verdict, { ok: true }>): void {
    if (notAsked !== undefined) this.#notAsked++;
    if (duplicate) this.#duplicates++;
    else {
      this.#stored++;
      if (flags.length > 0) this.#flagged++;
      this.#first = Math.min(this.#first ?? position, position);
      this.#last = Math.max(this.#last ?? position, position);
    }
  }
}

function placeOf(piece: Piece): { line: number; index?: number } {
  return piece.index === undefined ? { line: piece.line } : { line: piece.line, index: piece.index };
}

type Source = Iterable<Buffer> | AsyncIterable<Buffer>;

/** A client that is still sending does not read: the answer is kept small and sent at the end. */
async function takeBatch(
  body: Source,
  request: FastifyRequest,
  reply: FastifyReply,
  origin: Origin,
  taking: Taking,
): Promise<FastifyReply> {
  const { ports, limits, shape } = taking;
  const query = request.query as Readonly<Record<string, unknown>>;
  const tally = new Tally(query["verdicts"] === "all");
  const patienceMs = request.headers["content-length"] === undefined ? 0 : PATIENCE_MS;
  const options = { layout: layoutOf(request), maxEventBytes: limits.eventBytes, batchEvents: BATCH_EVENTS, batchBytes: BATCH_BYTES };
  let single: readonly Verdict[] | undefined;
  // One part is read while the one before it is written.
  let writing: Promise<void> = Promise.resolve();
  try {
    for await (const batch of readBody(toAsync(body), { ...options, idleMs: limits.idleMs, patienceMs })) {
      if (shape === "collector" && batch.layout !== "single") throw new EarshotError(ONE_EVENT);
      if (ports.stopping?.aborted === true) throw new EarshotError(STOPPING);
      await admitSoon(batch.pieces, origin, ports, limits.roomMs);
      const before = writing;
      writing = record(batch.pieces, origin, ports).then((verdicts) => {
        if (batch.layout === "single" || isNothing(batch)) single = verdicts;
        tally.add(batch.pieces, verdicts);
      });
      writing.catch(() => {}); // heard of in its turn, also where the body breaks off first
      await before;
    }
    await writing;
  } catch (error) {
    await writing.catch(() => {}); // the answer says how much was stored
    const problem = toProblem(error);
    if (problem.code === "INTERNAL") throw error;
    countOverload(problem, origin, ports);
    closeUnlessComplete(request, reply);
    // What was stored before stays stored, and the sender learns how much that is.
    return answerProblem(reply, problem, tally.answer());
  }
  if (single !== undefined) return answerSingle(reply, single, shape);
  return reply.header("content-type", "application/json; charset=utf-8").send(JSON.stringify(tally.answer()));
}

/** A list without anything in it is no batch of which a part could be wrong: the request itself is. */
function isNothing({ pieces: [only, second] }: Batch): boolean {
  return second === undefined && only !== undefined && "problem" in only && (only.problem === EMPTY_ARRAY || only.problem === EMPTY_BODY);
}

async function* toAsync(body: Source): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw new EarshotError(CUT_OFF, { cause: error }); // what a peer does to its own connection is no fault of ours
  }
}

/** The whole of a small body. Cheaper than an iterator, and most bodies are one chunk. */
function gather(request: FastifyRequest, size: number, { idleMs }: EventLimits): Promise<Buffer> {
  const { raw } = request;
  return new Promise((resolve, reject) => {
    let first: Buffer | undefined;
    let rest: Buffer[] | undefined;
    let complete = false;
    const stopTimer = size > 0 ? startNodeTimer(giveUp, idleMs) : () => {};
    raw.on("data", (chunk: Buffer) => {
      if (first === undefined) first = chunk;
      else {
        rest ??= [first];
        rest.push(chunk);
      }
    });
    raw.once("end", () => {
      complete = true;
      stopTimer();
      resolve(rest === undefined ? (first ?? Buffer.alloc(0)) : Buffer.concat(rest));
    });
    raw.once("error", gone);
    raw.once("close", gone);
    function gone(): void {
      if (complete) return; // every request is closed in the end, and an error is costly to make
      stopTimer();
      reject(new EarshotError(CUT_OFF));
    }
    function giveUp(): void {
      reject(new EarshotError({ code: "BODY_TIMEOUT", message: "The body did not arrive in time." }));
    }
  });
}

function layoutOf({ headers }: FastifyRequest): "json" | "lines" {
  const [type = "", ...parameters] = (headers["content-type"] ?? "").toLowerCase().split(";");
  const charset = parameters.map((one) => one.trim()).find((one) => one.startsWith("charset="));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") throw unsupported(`The content encoding ${encoding.slice(0, 40)} is not read.`);
  if (!isUtf8) throw unsupported("Only UTF-8 is read.");
  // Other types were refused before.
  return LINES.has(type.trim()) ? "lines" : "json";
}

function unsupported(message: string): EarshotError {
  return new EarshotError({ code: "CONTENT_TYPE", message });
}

/** A producer's credential names the source; without one it is `local`, and not verified. */
function originOf(request: FastifyRequest, fixed: ProtocolName | undefined): Origin {
  const caller = callerOf(request);
  const said = caller.verified ? { name: caller.name, verified: true } : { name: "local", verified: false };
  const named = fixed ?? (request.query as Readonly<Record<string, unknown>>)["protocol"];
  if (named === undefined) return said;
  if (typeof named !== "string" || !isProtocolName(named)) {
    const problem: Problem = { code: "WRONG_QUERY", message: "`protocol` is one of aaep, aep and aop." };
    throw new EarshotError(problem);
  }
  return { ...said, protocol: named };
}
