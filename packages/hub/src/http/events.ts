import type { IncomingMessage } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { EarshotError, type Problem, type ProtocolName } from "@earshot/protocol";
import type { FastifyInstance } from "fastify";
import Type, { type Static } from "typebox";
import type { Caller } from "../access/gate.ts";
import { Admission } from "../intake/admission.ts";
import { readBody, readSingle } from "../intake/body.ts";
import type { Batch } from "../intake/body-splitter.ts";
import { startNodeTimer } from "../intake/idle-timeout.ts";
import { EMPTY_ARRAY, EMPTY_BODY } from "../intake/piece.ts";
import { admitSoon, type Ports, record } from "../intake/receive.ts";
import type { Origin } from "../intake/submission.ts";
import { Together } from "../intake/together.ts";
import type { Verdict } from "../verdict.ts";
import { callerOf } from "./access.ts";
import { type Answer, JSON_HEADERS, sendAnswer, toAnswer, toProblem } from "./answer.ts";
import { Tally } from "./tally.ts";

export const EVENT_LIMITS: EventLimits = { eventBytes: 1024 * 1024, idleMs: 30_000, bodyMs: 60_000, roomMs: 30_000 };
/** What unfinished bodies have sent so far: of each at most one event of the longest is kept. */
const HOLDING = { queueBytes: 256 * 1024 * 1024, sourceShare: 0.75, strangerShare: 0.5 };

/** Where events are taken. */
export const EVENT_ADDRESSES: Readonly<Record<string, EventAddress & { readonly summary: string }>> = {
  "/v1/events": { shape: "ours", summary: "one event, an array, or NDJSON, in AAEP, AEP or AOP" },
  "/aep/v1/events": { shape: "ours", protocol: "aep", summary: "the same, AEP only" },
  "/aaep/v1/events": { shape: "ours", protocol: "aaep", summary: "the same, AAEP only" },
  "/events": { shape: "collector", protocol: "aop", summary: "one AOP event" },
};

export function openIntake(ports: Ports, limits: EventLimits = EVENT_LIMITS): Intake {
  return { ports, limits, together: new Together(ports), holding: new Admission(HOLDING) };
}

/** The routes that take events. */
export function registerEvents(app: FastifyInstance, intake: Intake): void {
  for (const [url, { summary, ...address }] of Object.entries(EVENT_ADDRESSES)) {
    const config = { access: "speaker", takes: TAKEN, summary } as const;
    app.post(url, { config, schema: { querystring: eventQuery } }, async (request, reply) => {
      let answer: Answer;
      try {
        answer = await takeEvents(request.raw, { query: request.query, caller: callerOf(request), ...address }, intake);
      } finally {
        // What is still to come of a body that was given up must not be taken for the next request, nor waited for.
        if (!request.raw.complete) reply.header("connection", "close");
      }
      return sendAnswer(reply, answer);
    });
  }
}

/** Told of a body that is complete, or why there will be none; one of the two, once. */
interface Gatherer {
  /** Told of every chunk, before it is kept; throws when there is no room for it. */
  readonly count: (bytes: number) => void;
  readonly take: (body: Buffer) => void;
  readonly giveUp: (error: unknown) => void;
}

/** Bodies up to this size are gathered before they are looked at. */
const GATHERED_BYTES = 256 * 1024;
const LATE: Problem = { code: "BODY_TIMEOUT", message: "The body did not arrive in time." };
const CUT_OFF: Problem = { code: "BODY_TIMEOUT", message: "The connection was closed before the body was complete." };

export interface EventLimits {
  /** The longest event. */
  readonly eventBytes: number;
  /** A body that sends nothing for this long is given up. */
  readonly idleMs: number;
  /** JSON that is not complete after this time is given up. Lines may come for as long as their sender has something to say. */
  readonly bodyMs: number;
  /** A stream that there is no room for is not read any further, for as long as this. */
  readonly roomMs: number;
}

/** What every call takes its events with. */
export interface Intake {
  readonly ports: Ports;
  readonly limits: EventLimits;
  /** Single events, and what comes with them in the same turn. */
  readonly together: Together;
  /** What unfinished bodies may take together. */
  readonly holding: Admission;
}

/** An address that takes events. `collector`: one event, answered as an AOP collector does. */
export interface EventAddress {
  readonly protocol?: ProtocolName | undefined;
  readonly shape: "ours" | "collector";
}

/** What one request says of its events, by whom it was made, and to which address. */
export interface EventCall extends EventAddress {
  readonly layout: "json" | "lines";
  /** How long the body is said to be; NaN where nothing is said. */
  readonly size: number;
  readonly query: Static<typeof eventQuery>;
  readonly caller: Caller;
}

/** What the address says about the events. */
export const eventQuery = Type.Object({
  protocol: Type.Optional(Type.Enum(["aaep", "aep", "aop"])),
  recognise: Type.Optional(Type.String({ description: "`content` or `messages`: by what an event says, not only by how it is named" })),
  verdicts: Type.Optional(Type.String({ description: "`all`: what became of each event, not only of those that were refused" })),
});

const BATCH_EVENTS = 500;
/** Each stream may hold this much while it waits for the disk; what several hold is committed together anyway. */
const BATCH_BYTES = 512 * 1024;
/** Who has said how much is coming sends it without pausing: one commit for a whole batch, not one for each chunk of it. */
const PATIENCE_MS = 20;
const LINES = new Set(["application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines"]);
/** Content types that are read. */
export const TAKEN: readonly string[] = ["application/json", ...LINES];

const STOPPING: Problem = { code: "LEDGER_UNAVAILABLE", message: "The hub is stopping." };
const ONE_EVENT: Problem = { code: "NOT_AN_OBJECT", message: "This address takes one event, not a list of them." };

/** Takes whatever a body holds, and answers. Rejects only with what is to be told as any other failure is. */
export function takeEvents(request: IncomingMessage, asked: Omit<EventCall, "layout" | "size">, intake: Intake): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const size = Number(request.headers["content-length"] ?? Number.NaN);
    const call: EventCall = { ...asked, layout: layoutOf(request), size };
    const sender = originOf(call);
    const { recognise } = call.query;
    const origin =
      recognise === "content" ? { ...sender, byContent: true } : recognise === "messages" ? { ...sender, messagesByContent: true } : sender;
    if (call.layout === "lines" || !(size <= GATHERED_BYTES)) takeStream(request, call, intake, origin).then(resolve, reject);
    else {
      const gather = (gatherer: Gatherer) => gatherRequest(request, size, intake.limits, gatherer);
      takeGathered({ call, intake, origin, gather, answer: resolve, fail: reject });
    }
  });
}

/** One request whose body is taken as a whole. Told by calling back: a promise for each step would cost more than the step. */
interface Gathered {
  readonly call: EventCall;
  readonly intake: Intake;
  readonly origin: Origin;
  readonly gather: (gatherer: Gatherer) => void;
  readonly answer: (answer: Answer) => void;
  readonly fail: (error: unknown) => void;
}

function takeGathered(gathered: Gathered): void {
  const { call, intake, origin } = gathered;
  const { ports, limits, holding, together } = intake;
  // What has arrived counts, not what was announced: announcing costs nothing.
  let held = 0;
  const count = (bytes: number) => {
    holding.admit(origin.name, bytes, held);
    held += bytes;
  };
  const fail = (error: unknown) => {
    countOverload(toProblem(error), origin, ports);
    gathered.fail(error);
  };
  const answer = (said: Answer) => {
    holding.release(origin.name, held);
    gathered.answer(said);
  };
  const giveUp = (error: unknown) => {
    holding.release(origin.name, held);
    fail(error);
  };
  const take = (body: Buffer) => {
    const single = readSingle(body, limits.eventBytes);
    if (single !== undefined) together.record(single, origin, (verdict) => answer(answerSingle(verdict, call.shape)), giveUp);
    else if (call.shape === "collector") giveUp(new EarshotError(ONE_EVENT));
    else takeBatch([body], call, intake, origin).then(answer, giveUp);
  };
  gathered.gather({ count, take, giveUp });
}

async function takeStream(request: IncomingMessage, call: EventCall, intake: Intake, origin: Origin): Promise<Answer> {
  const { limits, holding } = intake;
  const deadline = performance.now() + limits.bodyMs;
  let held = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      // At most one event of it is kept while the rest is on its way.
      const more = Math.min(chunk.length, limits.eventBytes - held);
      if (more > 0) holding.admit(origin.name, more, held);
      held += more;
      if (call.layout === "json" && performance.now() > deadline) throw new EarshotError(LATE);
      yield chunk;
    }
  }
  try {
    return await takeBatch(counted(), call, intake, origin);
  } finally {
    holding.release(origin.name, held);
  }
}

/** How often senders were turned away shows in the status. */
function countOverload({ code }: Problem, { name }: Origin, { ledger }: Ports): void {
  if (code === "OVERLOADED") ledger.count("overloaded", name, 1);
}

function answerSingle(verdict: Verdict, shape: EventAddress["shape"]): Answer {
  if (!verdict.ok) return toAnswer(verdict.problem);
  const { position, duplicate, flags, redactions, request, notAsked } = verdict;
  if (shape === "collector") return told(`{"ok":true,"position":${position},"duplicate":${duplicate}}`);
  const rest = flags.length === 0 ? "[]" : JSON.stringify(flags);
  const masked = redactions === 0 ? "" : `,"redactions":${redactions}`;
  const asked = request === undefined && notAsked === undefined ? "" : `,${JSON.stringify({ request, notAsked }).slice(1, -1)}`;
  return told(`{"position":${position},"duplicate":${duplicate},"flags":${rest}${masked}${asked}}`);
}

function told(body: string): Answer {
  return { status: 200, headers: JSON_HEADERS, body };
}

type Source = Iterable<Buffer> | AsyncIterable<Buffer>;

/** A client that is still sending does not read: the answer is kept small and sent at the end. */
async function takeBatch(body: Source, call: EventCall, { ports, limits }: Intake, origin: Origin): Promise<Answer> {
  const { layout, query, shape } = call;
  const tally = new Tally(query.verdicts === "all");
  const patienceMs = Number.isNaN(call.size) ? 0 : PATIENCE_MS;
  const options = { layout, maxEventBytes: limits.eventBytes, batchEvents: BATCH_EVENTS, batchBytes: BATCH_BYTES };
  let single: Verdict | undefined;
  // One part is read while the one before it is written.
  let writing: Promise<void> = Promise.resolve();
  try {
    for await (const batch of readBody(toAsync(body), { ...options, idleMs: limits.idleMs, patienceMs })) {
      if (shape === "collector" && batch.layout !== "single") throw new EarshotError(ONE_EVENT);
      if (ports.stopping?.aborted === true) throw new EarshotError(STOPPING);
      await admitSoon(batch.pieces, origin, ports, limits.roomMs);
      // Others have their turn between two parts: masking one takes a while.
      await nextTurn();
      const before = writing;
      writing = record(batch.pieces, origin, ports).then((verdicts) => {
        if (batch.layout === "single" || isNothing(batch)) single = verdicts[0];
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
    // What was stored before stays stored, and the sender learns how much that is.
    return toAnswer(problem, tally.answer());
  }
  return single === undefined ? told(JSON.stringify(tally.answer())) : answerSingle(single, shape);
}

/** A list without anything in it is no batch of which a part could be wrong: the request itself is. */
function isNothing({ pieces: [only, second] }: Batch): boolean {
  return second === undefined && only !== undefined && "problem" in only && (only.problem === EMPTY_ARRAY || only.problem === EMPTY_BODY);
}

async function* toAsync(body: Source): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    if (EarshotError.is(error)) throw error;
    throw new EarshotError(CUT_OFF, { cause: error }); // what a peer does to its own connection is no fault of ours
  }
}

/** The whole of a small body. Cheaper than an iterator, and most bodies are one chunk. */
function gatherRequest(request: IncomingMessage, size: number, { idleMs, bodyMs }: EventLimits, { count, take, giveUp }: Gatherer): void {
  let first: Buffer | undefined;
  let rest: Buffer[] | undefined;
  let isOver = false;
  const deadline = performance.now() + bodyMs;
  const end = (error: unknown) => {
    if (isOver) return; // every request is closed in the end
    isOver = true;
    stopTimer();
    giveUp(error);
  };
  const wait = () => startNodeTimer(() => end(new EarshotError(LATE)), Math.max(0, Math.min(idleMs, deadline - performance.now())));
  let stopTimer = size > 0 ? wait() : () => {};
  const gone = () => {
    if (!isOver) end(new EarshotError(CUT_OFF)); // an error is costly to make
  };
  request.on("data", (chunk: Buffer) => {
    if (isOver) return;
    try {
      count(chunk.length);
    } catch (error) {
      end(error);
      return;
    }
    if (first === undefined) first = chunk;
    else {
      rest ??= [first];
      rest.push(chunk);
    }
    if (chunk.length === size) return; // as nearly always
    stopTimer();
    stopTimer = wait();
  });
  request.on("end", () => {
    if (isOver) return;
    isOver = true;
    stopTimer();
    take(rest === undefined ? (first ?? Buffer.alloc(0)) : Buffer.concat(rest));
  });
  request.on("close", gone); // after an error, too
}

function layoutOf({ headers }: IncomingMessage): "json" | "lines" {
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
function originOf({ caller, protocol, query }: Pick<EventCall, "caller" | "protocol" | "query">): Origin {
  const said = caller.verified ? { name: caller.name, verified: true } : { name: "local", verified: false };
  const named = protocol ?? query.protocol;
  return named === undefined ? said : { ...said, protocol: named };
}
