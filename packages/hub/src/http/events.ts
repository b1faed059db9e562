import type { IncomingMessage } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { EarshotError, type Problem, type ProtocolName } from "@earshot/protocol";
import type { FastifyInstance } from "fastify";
import Type, { type Static } from "typebox";
import type { Caller } from "../access/gate.ts";
import { listOf, naturalNumber, problemSchema, protocolSchema } from "../api-schema.ts";
import type { IntakeAdmission } from "../intake/admission.ts";
import { withIdleTimeout } from "../intake/idle-timeout.ts";
import { EMPTY_ARRAY, EMPTY_BODY, type EventPiece } from "../intake/piece.ts";
import { readLines } from "../intake/read-lines.ts";
import { type IntakeContext, receive, receiveSoon } from "../intake/receive.ts";
import { splitJson } from "../intake/split-array.ts";
import type { SenderOrigin } from "../intake/submission.ts";
import type { Verdict } from "../verdict.ts";
import { callerOf } from "./access.ts";
import { type HttpReply, JSON_HEADERS, sendAnswer, toProblemReply, toProblemWithoutInternals } from "./answer.ts";
import { BatchTally, tallySchema } from "./tally.ts";
import { defineRoute } from "./validation.ts";

export const EVENT_LIMITS: EventLimits = { eventBytes: 1024 * 1024, idleMs: 30_000, bodyMs: 60_000, roomMs: 30_000 };
/** The routes that take events. */
export const EVENT_ADDRESSES: Readonly<Record<string, EventAddress & { readonly summary: string }>> = {
  "/v1/events": { shape: "ours", summary: "one event, an array, or NDJSON, in AAEP, AEP or AOP" },
  "/aep/v1/events": { shape: "ours", protocol: "aep", summary: "the same, AEP only" },
  "/aaep/v1/events": { shape: "ours", protocol: "aaep", summary: "the same, AAEP only" },
  "/events": { shape: "collector", protocol: "aop", summary: "one AOP event" },
};

const verdictSchema = Type.Object({
  position: naturalNumber(),
  duplicate: Type.Boolean({ description: "it was stored before" }),
  flags: listOf(problemSchema, { description: "rules that it breaks, although it was stored" }),
  redactions: Type.Optional(naturalNumber({ description: "how many secrets were masked" })),
  request: Type.Optional(Type.String({ description: "the request that it opened" })),
  notAsked: Type.Optional(problemSchema),
});
const answerSchemas = {
  ours: Type.Union([verdictSchema, tallySchema], { description: "of a single event its verdict, of several a tally" }),
  collector: Type.Object({ ok: Type.Literal(true), position: naturalNumber(), duplicate: Type.Boolean() }),
};
const eventBody = Type.Unsafe<object>({
  type: "object",
  description: "an event of the protocol, by the schema that the protocol publishes",
});
const bodySchemas = { ours: Type.Union([eventBody, Type.Array(eventBody)]), collector: eventBody };

/** Registers the routes that take events. */
export function registerEvents(app: FastifyInstance, intake: EventIntake): void {
  for (const [url, { summary, ...address }] of Object.entries(EVENT_ADDRESSES)) {
    const answers = { type: "application/json", schema: answerSchemas[address.shape] };
    const options = defineRoute(
      "speaker",
      summary,
      { querystring: eventQuery },
      { takes: EVENT_CONTENT_TYPES, body: bodySchemas[address.shape], answers },
    );
    app.post(url, options, async (request, reply) => {
      let answer: HttpReply;
      try {
        answer = await takeEvents(request.raw, { query: request.query, caller: callerOf(request), ...address }, intake);
      } finally {
        // The rest of an abandoned body must neither be read as the next request nor awaited.
        if (!request.raw.complete) reply.header("connection", "close");
      }
      return sendAnswer(reply, answer);
    });
  }
}

/** The maximum JSON body; larger amounts are sent as lines. */
const MAX_JSON_BYTES = 16 * 1024 * 1024;
const LATE: Problem = { code: "BODY_TIMEOUT", message: "The body did not arrive in time." };
const TOO_LARGE: Problem = {
  code: "TOO_LARGE",
  message: `The body has more than ${MAX_JSON_BYTES.toLocaleString("en")} bytes.`,
  hint: "Send one event on each line, as application/x-ndjson: of lines there is no end.",
};
const CUT_OFF: Problem = { code: "BODY_TIMEOUT", message: "The connection was closed before the body was complete." };

export interface EventLimits {
  /** The maximum event size. */
  readonly eventBytes: number;
  /** A body without data for this long is abandoned. */
  readonly idleMs: number;
  /** JSON that is incomplete after this time is abandoned. Lines may arrive without a time limit. */
  readonly bodyMs: number;
  /** How long a stream without room is paused. */
  readonly roomMs: number;
}

/** Dependencies of every call that submits events. */
export interface EventIntake extends IntakeContext {
  readonly admission: IntakeAdmission;
  readonly limits: EventLimits;
  /** Aborted when the hub is about to stop: a long stream ends between two batches, and its sender gets the number of stored events. */
  readonly stopping?: AbortSignal;
}

/** A route that takes events. `collector`: one event, answered like an AOP collector. */
export interface EventAddress {
  readonly protocol?: ProtocolName | undefined;
  readonly shape: "ours" | "collector";
}

/** A request with events: its parameters, caller and route. */
export interface EventCall extends EventAddress {
  readonly query: Static<typeof eventQuery>;
  readonly caller: Caller;
}

/** Query parameters about the events. */
export const eventQuery = Type.Object({
  protocol: Type.Optional(protocolSchema),
  recognise: Type.Optional(Type.String({ description: "`content` or `messages`: by what an event says, not only by how it is named" })),
  verdicts: Type.Optional(Type.String({ description: "`all`: what became of each event, not only of those that were refused" })),
});

const BATCH_EVENTS = 500;
/** Bytes each stream may hold while waiting for the disk; several streams share a commit anyway. */
const BATCH_BYTES = 512 * 1024;
/** A sender that announced its length sends without pausing, so a whole batch becomes one commit instead of one per chunk. */
const PATIENCE_MS = 20;
/** An incomplete line counts as waiting above this size. */
const UNCOUNTED_BYTES = 64 * 1024;
const LINES = new Set(["application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines"]);
/** Accepted content types. */
export const EVENT_CONTENT_TYPES: readonly string[] = ["application/json", ...LINES];

const STOPPING: Problem = { code: "LEDGER_UNAVAILABLE", message: "The hub is stopping." };
const ONE_EVENT: Problem = { code: "NOT_AN_OBJECT", message: "This address takes one event, not a list of them." };

/** Takes a body's events and answers. Rejects only with errors to be reported as usual. */
export async function takeEvents(request: IncomingMessage, call: EventCall, intake: EventIntake): Promise<HttpReply> {
  const layout = layoutOf(request);
  const origin = originOf(call);
  try {
    return layout === "lines"
      ? await takeLines(request, call, { ...intake, origin })
      : await takeJson(request, call, { ...intake, origin });
  } catch (error) {
    countOverload(toProblemWithoutInternals(error), origin, intake);
    throw error;
  }
}

interface Taking extends EventIntake {
  readonly origin: SenderOrigin;
}

async function takeJson(request: IncomingMessage, call: EventCall, intake: Taking): Promise<HttpReply> {
  const { admission, limits, origin } = intake;
  // Received bytes count, not announced ones, because announcing costs nothing.
  using held = admission.hold(origin.name);
  const { layout, pieces } = splitJson(await readWhole(request, limits, held.resize), limits.eventBytes);
  const take = (some: readonly EventPiece[]) => receive(some, origin, intake);
  if (layout === "single" || isNothing(pieces)) return answerSingle((await take(pieces))[0] as Verdict, call.shape);
  return await takeBatches(inBatches(pieces), call, { intake, take });
}

async function takeLines(request: IncomingMessage, call: EventCall, intake: Taking): Promise<HttpReply> {
  const { admission, limits, origin } = intake;
  using held = admission.hold(origin.name);
  const onHeld = (bytes: number) => held.resize(bytes > UNCOUNTED_BYTES ? bytes : 0);
  const patienceMs = request.headers["content-length"] === undefined ? 0 : PATIENCE_MS;
  const options = { maxEventBytes: limits.eventBytes, batchEvents: BATCH_EVENTS, batchBytes: BATCH_BYTES, patienceMs, onHeld };
  const lines = readLines(withIdleTimeout(chunksOf(request), limits.idleMs), options);
  const take = (pieces: readonly EventPiece[]) => receiveSoon(pieces, origin, intake, limits.roomMs);
  return await takeBatches(lines, call, { intake, take });
}

/** The status shows how often senders were refused. */
function countOverload({ code }: Problem, { name }: SenderOrigin, { ledger }: IntakeContext): void {
  if (code === "OVERLOADED") ledger.count("overloaded", name, 1);
}

function answerSingle(verdict: Verdict, shape: EventAddress["shape"]): HttpReply {
  if (!verdict.ok) return toProblemReply(verdict.problem);
  const { position, duplicate, flags, redactions, request, notAsked } = verdict;
  if (shape === "collector") return told(`{"ok":true,"position":${position},"duplicate":${duplicate}}`);
  const rest = flags.length === 0 ? "[]" : JSON.stringify(flags);
  const masked = redactions === 0 ? "" : `,"redactions":${redactions}`;
  const asked = request === undefined && notAsked === undefined ? "" : `,${JSON.stringify({ request, notAsked }).slice(1, -1)}`;
  return told(`{"position":${position},"duplicate":${duplicate},"flags":${rest}${masked}${asked}}`);
}

function told(body: string): HttpReply {
  return { status: 200, headers: JSON_HEADERS, body };
}

interface Batches {
  readonly intake: Taking;
  readonly take: (pieces: readonly EventPiece[]) => Promise<readonly Verdict[]>;
}

/** A client that is still sending does not read, so the answer is small and comes at the end. */
async function takeBatches(
  batches: Iterable<readonly EventPiece[]> | AsyncIterable<readonly EventPiece[]>,
  { query, shape }: EventCall,
  { intake, take }: Batches,
): Promise<HttpReply> {
  const tally = new BatchTally(query.verdicts === "all");
  try {
    for await (const pieces of batches) {
      if (isNothing(pieces)) return answerSingle((await take(pieces))[0] as Verdict, shape);
      if (shape === "collector") throw new EarshotError(ONE_EVENT);
      if (intake.stopping?.aborted === true) throw new EarshotError(STOPPING);
      await nextTurn(); // others have their turn between two parts: masking one takes a while
      tally.add(pieces, await take(pieces));
    }
  } catch (error) {
    const problem = toProblemWithoutInternals(error);
    if (problem.code === "INTERNAL") throw error;
    countOverload(problem, intake.origin, intake);
    // Batches stored before stay stored, and the sender learns their number.
    return toProblemReply(problem, tally.answer());
  }
  return told(JSON.stringify(tally.answer()));
}

function* inBatches(pieces: readonly EventPiece[]): Generator<readonly EventPiece[]> {
  for (let from = 0; from < pieces.length; from += BATCH_EVENTS) yield pieces.slice(from, from + BATCH_EVENTS);
}

/** An empty list is an invalid request rather than a batch with errors. */
function isNothing([only, second]: readonly EventPiece[]): boolean {
  return second === undefined && only !== undefined && "problem" in only && (only.problem === EMPTY_ARRAY || only.problem === EMPTY_BODY);
}

async function* chunksOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* request as AsyncIterable<Buffer>;
  } catch (error) {
    throw new EarshotError(CUT_OFF, { cause: error }); // what a peer does to its own connection is no fault of ours
  }
}

/** Reads a whole body. Cheaper than an iterator, and most bodies are one chunk. */
function readWhole(request: IncomingMessage, { idleMs, bodyMs }: EventLimits, onHeld: (bytes: number) => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const deadline = performance.now() + bodyMs;
    const late = () => end(new EarshotError(LATE));
    const timer = setTimeout(late, Math.min(idleMs, bodyMs));
    const end = (error: unknown) => {
      clearTimeout(timer);
      request.off("data", add);
      reject(error);
    };
    const add = (chunk: Buffer) => {
      try {
        onHeld(bytes + chunk.length);
      } catch (error) {
        return end(error);
      }
      bytes += chunk.length;
      if (bytes > MAX_JSON_BYTES) return end(new EarshotError(TOO_LARGE));
      if (performance.now() > deadline) return late();
      chunks.push(chunk);
      timer.refresh();
    };
    request.on("data", add);
    request.on("end", () => {
      clearTimeout(timer);
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    });
    request.on("close", () => {
      if (!request.complete) end(new EarshotError(CUT_OFF)); // after an error, too
    });
  });
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

/** A producer's credential names the source; without one it is `local` and unverified. */
function originOf({ caller, protocol, query }: EventCall): SenderOrigin {
  const said = caller.verified ? { name: caller.name, verified: true } : { name: "local", verified: false };
  const named = protocol ?? query.protocol;
  return {
    ...said,
    ...(named === undefined ? {} : { protocol: named }),
    ...(query.recognise === "content" ? { byContent: true } : query.recognise === "messages" ? { messagesByContent: true } : {}),
  };
}
