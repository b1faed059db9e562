import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { readBytes } from "@earshot/aaep/node";
import { EarshotError, type JsonObject, readJson } from "@earshot/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { HookDesk } from "../hooks/hook-desk.ts";
import { proveLines, writeAnswer, writeWait } from "../hooks/hook-lines.ts";
import { proveHub, proveVerdict } from "../hooks/hook-proof.ts";
import type { NativeAsk, NativeHooks, NativeReply } from "../hooks/native-hooks.ts";
import { readResume } from "../hooks/resume-token.ts";
import type { Admission } from "../intake/admission.ts";
import { readSubmission } from "../intake/submission.ts";
import type { Source } from "../ledger/ledger.ts";
import { UNREADABLE_ANSWERS } from "../policy/unreadable.ts";
import { type Engine, LONGEST_POLL_MS } from "../requests/engine.ts";
import { callerOf } from "./access.ts";
import { type Answer, sendAnswer } from "./answer.ts";
import { readJsonBody } from "./json-body.ts";
import { closing, numberIn, queryOf, readNumber, reasonOf, waitOf, wrong } from "./request-routes.ts";

/** An agent that writes a file hands over the whole of it. */
export const PAYLOAD_BYTES = 16 * 1024 * 1024;

type ToAgent = FastifyRequest<{ Params: { agent: string } }>;

/**
 * `POST /hooks/AGENT?hook=NAME`: what a coding agent gives its hook, as it is; the answer as that agent reads it. `as=lines` is
 * for our own shim, which comes again while it waits. Without it the answer is the body alone, with the exit code in a header:
 * for agents whose hooks are addresses. Such hooks let everything pass when they fail, so that they are for watching.
 */
export function registerNativeHooks(app: FastifyInstance, ports: HookCallPorts): void {
  app.post(
    "/hooks/:agent",
    { config: { access: "producer", summary: "what a coding agent's hook was given, and the answer it reads" } },
    async (request: ToAgent, reply) => {
      const { name } = callerOf(request);
      const { headers } = request.raw;
      const call = { headers, request: request.raw, gone: closing(reply), agent: request.params.agent, query: queryOf(request), name };
      const { answer, told } = await answerHook(call, ports);
      provesAnswer(request, told);
      return sendAnswer(reply, answer);
    },
  );
}

export interface HookCallPorts {
  readonly native: NativeHooks;
  readonly payloadBytes: number;
  readonly admission: Admission;
  /** The producer's, with which launchers check that an answer is the hub's. */
  readonly secret: string;
}

/** One call of a coding agent's hook. */
export interface HookCall {
  readonly headers: IncomingHttpHeaders;
  readonly request: IncomingMessage;
  /** Says that whoever asked has gone. */
  readonly gone: AbortSignal;
  /** For which agent it was registered. */
  readonly agent: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** The credential's name. */
  readonly name: string;
}

export interface AnsweredHook {
  readonly answer: Answer;
  /** What the answer is about, for who wants it proven. */
  readonly told: Told;
}

/** How long one call waits for a person before it is told to come again, for whoever cannot: an agent's own HTTP hook. */
const PLAIN_HOLD_MS = 25_000;
const MARGIN_MS = 3000;

/** Reads what a hook was given, and answers as its agent reads it. Rejects with what is to be told as any other failure is. */
export async function answerHook(call: HookCall, { native, payloadBytes, admission, secret }: HookCallPorts): Promise<AnsweredHook> {
  const { query, name, gone } = call;
  const body = await readCounted(call.request, payloadBytes, { name, admission });
  const ask = readAsk(call, body);
  const inLines = query["as"] === "lines";
  const answered = inLines
    ? await native.ask(ask, numberIn(query, "wait", 0, LONGEST_POLL_MS), gone)
    : await askUntilTold(native, ask, gone);
  const answer = inLines ? proveAnswer(tellLines(answered), body, query["nonce"], secret) : tellPlainly(answered);
  return { answer, told: { asked: body, request: answered.request } };
}

function proveAnswer(answer: Answer, asked: Buffer, nonce: unknown, secret: string): Answer {
  if (typeof nonce !== "string" || nonce === "" || typeof answer.body !== "string") return answer;
  return { ...answer, body: proveLines(secret, { nonce, asked, lines: answer.body }) };
}

/** The whole body. What has arrived counts against the memory of its source, not what was announced. */
async function readCounted(
  request: IncomingMessage,
  longestBytes: number,
  { name, admission }: { readonly name: string; readonly admission: Admission },
): Promise<Buffer> {
  let held = 0;
  const refused = new Promise<never>((_, reject) => {
    const count = (chunk: Buffer) => {
      try {
        admission.admit(name, chunk.length, held);
        held += chunk.length;
      } catch (error) {
        request.off("data", count);
        reject(error);
      }
    };
    request.on("data", count);
  });
  try {
    return await Promise.race([readBytes(request, longestBytes), refused]);
  } finally {
    admission.release(name, held);
  }
}

function readAsk({ headers, agent, query, name }: HookCall, body: Buffer): NativeAsk {
  const { hook, observe, headless } = query;
  const { "x-earshot-resume": resume, "x-earshot-env": env } = headers;
  return {
    registered: agent,
    hook: typeof hook === "string" && hook !== "" ? hook : undefined,
    text: body.toString("utf8"),
    env: readClues(typeof env === "string" ? env : ""),
    source: name,
    observes: observe === "1",
    headless: headless === "1",
    longestMs: query["longest"] === undefined ? null : numberIn(query, "longest", 0, LONGEST_HOLD_MS),
    unreadable: UNREADABLE_ANSWERS.find((one) => one === query["unreadable"]),
    resume: typeof resume === "string" && resume !== "" ? readResume(resume) : undefined,
  };
}

/** `NAME=value;NAME=value`. */
function readClues(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(";").flatMap((pair) => {
    const [, name, value] = /^([A-Z][A-Z0-9_]{0,63})=(.{1,4096})$/.exec(pair) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(pairs);
}

/** An agent's own HTTP client waits in one call, and comes only once. */
async function askUntilTold(native: NativeHooks, ask: NativeAsk, signal: AbortSignal): Promise<NativeReply> {
  const until = performance.now() + (ask.longestMs ?? PLAIN_HOLD_MS + MARGIN_MS) - MARGIN_MS;
  let reply = await native.ask({ ...ask, longestMs: ask.longestMs ?? PLAIN_HOLD_MS }, 0, signal);
  while (reply.waits && !signal.aborted && performance.now() < until) {
    const resume = readResume(reply.resume);
    reply = await native.ask({ ...ask, resume }, Math.max(0, Math.min(PLAIN_HOLD_MS, until - performance.now())), signal);
  }
  return reply;
}

const PLAIN_TEXT = "text/plain; charset=utf-8";
const JSON_TEXT = "application/json; charset=utf-8";

function tellLines(answered: NativeReply): Answer {
  const body = answered.waits ? writeWait(answered.resume) : writeAnswer(answered.rendering);
  return { status: 200, headers: { "content-type": PLAIN_TEXT }, body };
}

function tellPlainly(answered: NativeReply): Answer {
  if (answered.waits) return { status: 200, headers: { "x-earshot-exit": "0", "content-type": JSON_TEXT }, body: "{}" };
  const { exitCode, stdout, stderr } = answered.rendering;
  const type = stdout.startsWith("{") ? JSON_TEXT : PLAIN_TEXT;
  return { status: 200, headers: { "x-earshot-exit": String(exitCode), "content-type": type }, body: stdout === "" ? stderr : stdout };
}

export interface HookRoutePorts {
  readonly engine: Engine;
  readonly hooks: HookDesk;
  readonly now: () => number;
  readonly redacts: (source: Source) => boolean;
  readonly eventBytes: number;
  /** What unfinished bodies may take together. */
  readonly admission: Admission;
}

type ById = FastifyRequest<{ Params: { id: string } }>;

/** Nobody waits for a day, and no number is believed blindly. */
export const LONGEST_HOLD_MS = 86_400_000;

/** What agents ask before they act: an AEP event in, an AEP response out. */
export function registerHooks(app: FastifyInstance, { engine, hooks, now, redacts, eventBytes, admission }: HookRoutePorts): void {
  app.post(
    "/aep/v1/hooks",
    { config: { access: "producer", summary: "an AEP event that waits for its response" } },
    async (request, reply) => {
      const { name } = callerOf(request);
      const body = await readCounted(request.raw, eventBytes, { name, admission });
      const text = body.toString("utf8");
      const read = readSubmission(text, body.length, { name, verified: true, protocol: "aep" }, { receivedAt: now(), redacts });
      if (!read.ok) throw new EarshotError(read.problem);
      const { submission } = read;
      if (submission.kind !== "event" || submission.identity === null || submission.session === "") {
        throw new EarshotError({
          code: "EVENT_INVALID",
          message: "A hook sends an event with an id and a session.",
          pointer: "/session/id",
        });
      }
      const raw = readJson(text);
      if (!raw.ok) throw new EarshotError(raw.problem);
      const longest = queryOf(request)["longest"];
      const ask = {
        submission,
        raw: raw.value as JsonObject,
        asksItself: flag(request, "asks", false),
        besideDialog: flag(request, "dialog", false),
        canAsk: flag(request, "canAsk", true),
        attended: flag(request, "attended", true),
        longestMs: longest === undefined ? null : readNumber(request, "longest", 0, LONGEST_HOLD_MS),
      };
      const answer = await hooks.ask(ask, waitOf(request), closing(reply));
      provesAnswer(request, { asked: body, request: answer.request });
      return answer;
    },
  );

  app.get(
    "/aep/v1/hooks/:id",
    { config: { access: "producer", summary: "the response, when there is one" } },
    async (request: ById, reply) => {
      const answer = await hooks.poll(request.params.id, callerOf(request).name, waitOf(request), closing(reply));
      provesAnswer(request, { asked: Buffer.alloc(0), request: answer.request });
      return answer;
    },
  );

  app.post(
    "/aep/v1/hooks/:id/withdraw",
    { config: { access: "producer", summary: "takes back what one has asked" } },
    async (request: ById) => {
      const { name } = callerOf(request);
      const held = await engine.poll(request.params.id, name, 0); // only who asked gets past this
      const body = await readJsonBody(request);
      const { state } = await engine.withdraw(held.id, { by: name, asker: true, ...reasonOf(body) });
      return { request: held.id, state };
    },
  );
}

function flag(request: FastifyRequest, name: string, fallback: boolean): boolean {
  const value = queryOf(request)[name];
  if (value === undefined) return fallback;
  if (value === "1" || value === "0") return value === "1";
  throw wrong(`\`${name}\` is 1 or 0.`);
}

/** What an answer is about. */
export interface Told {
  /** The body that was asked with. */
  readonly asked: Buffer;
  readonly request: string | null;
}

const LONGEST_NONCE = 128;
const told = new WeakMap<FastifyRequest, Told>();

/** The answer to this request is to be proven, if whoever asks wants that: see hooks/hook-proof.ts. */
export function provesAnswer(request: FastifyRequest, about: Told): void {
  told.set(request, about);
}

/** For those who come by TCP, where anybody may hold the port. */
export function registerProofs(app: FastifyInstance, key: string): void {
  app.get("/hooks/proof", { config: { access: "anyone", summary: "shows that this is the hub of its user" } }, async (request) => {
    const { nonce } = queryOf(request);
    if (typeof nonce !== "string" || nonce === "" || nonce.length > LONGEST_NONCE) throw wrong("`nonce` is a text of your own choosing.");
    return { proof: proveHub(key, nonce, request.socket.localPort ?? 0) };
  });

  app.addHook("onSend", (request, reply, payload, done) => {
    const nonce = request.headers["x-earshot-nonce"];
    const about = told.get(request);
    if (typeof nonce === "string" && nonce.length <= LONGEST_NONCE && about !== undefined && typeof payload === "string") {
      const id = about.request ?? "";
      reply.header("x-earshot-request", id);
      reply.header("x-earshot-proof", proveVerdict(key, { nonce, request: id, asked: about.asked, answer: payload }));
    }
    done();
  });
}
