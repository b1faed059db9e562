import type { IncomingMessage } from "node:http";
import { readBytes } from "@earshot/aaep/node";
import { EarshotError, type JsonObject, readJson } from "@earshot/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import Type, { type Static } from "typebox";
import { idParameters, naturalNumber, queryFlag, waitMs } from "../api-schema.ts";
import type { HookGate } from "../hooks/hook-gate.ts";
import {
  proveAnswerLines,
  proveHub,
  proveLines,
  REPEAT_LINE,
  readHookResume,
  writeAnswerLines,
  writeWaitLines,
} from "../hooks/hook-protocol.ts";
import type { NativeHookCall, NativeHooks, NativeReply } from "../hooks/native-hooks.ts";
import type { IntakeAdmission } from "../intake/admission.ts";
import { hookOrigin, readInTurns } from "../intake/submission.ts";
import { UNREADABLE_ANSWERS } from "../policy/unreadable.ts";
import { reasonedBody } from "../requests/answer.ts";
import { hookAnswerSchema } from "../requests/api.ts";
import { MAX_POLL_MS } from "../requests/engine.ts";
import { callerOf } from "./access.ts";
import { type HttpReply, JSON_TYPE, sendAnswer } from "./answer.ts";
import { abortedOnClose, waitQuery } from "./request-routes.ts";
import { defineRoute } from "./validation.ts";

/** An agent that writes a file sends all of it. */
const PAYLOAD_BYTES = 16 * 1024 * 1024;

/** A day: no larger timeout is believed. */
export const MAX_HOOK_HOLD_MS = 86_400_000;
const longest = Type.Optional(
  naturalNumber({ maximum: MAX_HOOK_HOLD_MS, description: "how long the agent waits for its hook, in milliseconds" }),
);

const word = (description: string) => Type.Optional(Type.String({ description }));
const nativeQuery = Type.Object({
  hook: word("which of the agent's hooks it is"),
  as: word("`lines`: for the launcher, which waits by long polls"),
  wait: waitMs(MAX_POLL_MS),
  nonce: word("a text of the caller's own choosing: the answer proves that it comes from the hub"),
  observe: word("`1`: nothing is decided"),
  headless: word("`1`: nobody is at the agent"),
  longest,
  unreadable: word("what the launcher answers by itself to payloads that cannot be read"),
});

/**
 * `POST /hooks/AGENT?hook=NAME`: the payload of a coding agent's hook in, the answer in that agent's format out. `as=lines` is for the
 * launcher, which then waits at `POST /hooks/AGENT/wait` with the token alone. Otherwise the body is the answer, with the exit code in a
 * header, for agents that call URLs. A tool runs when such a hook fails, so they are for observing.
 */
export function registerNativeHooks(app: FastifyInstance, { native, admission, secret }: NativeHookRoutes): void {
  app.post(
    "/hooks/:agent",
    defineRoute(
      "producer",
      "what a coding agent's hook was given, and the answer it reads",
      {
        params: Type.Object({ agent: Type.String() }),
        querystring: nativeQuery,
      },
      { body: Type.Unsafe<object>({ type: "object", description: "the payload, as the agent sends it" }), answers: LINES },
    ),
    async (request, reply) => {
      const body = await readCounted(request.raw, PAYLOAD_BYTES, { name: callerOf(request).name, admission });
      const ask = readAsk(request, body);
      const { query } = request;
      const inLines = query.as === "lines";
      const answered = inLines
        ? await native.ask(ask, query.wait, abortedOnClose(reply))
        : await askUntilTold(native, ask, abortedOnClose(reply));
      provesAnswer(request, { asked: body, request: answered.request });
      return sendAnswer(reply, inLines ? proveAnswer(tellLines(answered), body, query.nonce, secret) : tellPlainly(answered));
    },
  );

  app.post(
    "/hooks/:agent/wait",
    defineRoute(
      "producer",
      "waits for the answer with the token that a hook got",
      {
        params: Type.Object({ agent: Type.String() }),
        querystring: Type.Object({ wait: waitMs(MAX_POLL_MS), nonce: nativeQuery.properties.nonce }),
      },
      { body: Type.String({ description: "the token" }), answers: LINES },
    ),
    async (request, reply) => {
      const { name } = callerOf(request);
      const { wait, nonce } = request.query;
      const body = await readCounted(request.raw, LONGEST_TOKEN, { name, admission });
      const answered = await native.wait(body.toString("utf8").trim(), name, wait, abortedOnClose(reply));
      provesAnswer(request, { asked: body, request: answered?.request ?? null });
      return sendAnswer(reply, proveAnswer(tellLines(answered), body, nonce, secret));
    },
  );
}

const LONGEST_TOKEN = 16 * 1024;
const LINES = { type: "text/plain" };

interface NativeHookRoutes {
  readonly native: NativeHooks;
  readonly admission: IntakeAdmission;
  /** The producer's token, with which launchers verify answers. */
  readonly secret: string;
}

/** How long one call waits for a person if its caller cannot call again: an agent's own HTTP hook. */
const PLAIN_HOLD_MS = 25_000;
const MARGIN_MS = 3000;

function proveAnswer(answer: HttpReply, asked: Buffer, nonce: string | undefined, secret: string): HttpReply {
  if (nonce === undefined || nonce === "") return answer;
  return { ...answer, body: proveLines(secret, { nonce, asked, lines: answer.body }) };
}

/** Reads the whole body. Received bytes count toward their source's memory, not announced ones. */
async function readCounted(
  request: IncomingMessage,
  longestBytes: number,
  { name, admission }: { readonly name: string; readonly admission: IntakeAdmission },
): Promise<Buffer> {
  using held = admission.hold(name);
  let bytes = 0;
  const refused = new Promise<never>((_, reject) => {
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      try {
        held.resize(bytes);
      } catch (error) {
        request.off("data", count);
        reject(error);
      }
    };
    request.on("data", count);
  });
  return await Promise.race([readBytes(request, longestBytes), refused]);
}

type NativeRequest = FastifyRequest<{ Params: { agent: string }; Querystring: Static<typeof nativeQuery> }>;

function readAsk(request: NativeRequest, body: Buffer): NativeHookCall {
  const { params, query, headers } = request;
  const { hook, observe, headless, longest: longestMs = null, unreadable } = query;
  const { "x-earshot-resume": resume, "x-earshot-env": env } = headers;
  return {
    registered: params.agent,
    hook: hook === "" ? undefined : hook,
    text: body.toString("utf8"),
    env: readClues(typeof env === "string" ? env : ""),
    source: callerOf(request).name,
    observes: observe === "1",
    headless: headless === "1",
    longestMs,
    unreadable: UNREADABLE_ANSWERS.find((one) => one === unreadable),
    resume: typeof resume === "string" && resume !== "" ? readHookResume(resume) : undefined,
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

/** An agent's own HTTP client waits in one call. */
async function askUntilTold(native: NativeHooks, ask: NativeHookCall, signal: AbortSignal): Promise<NativeReply> {
  const until = performance.now() + (ask.longestMs ?? PLAIN_HOLD_MS + MARGIN_MS) - MARGIN_MS;
  let reply = await native.ask({ ...ask, longestMs: ask.longestMs ?? PLAIN_HOLD_MS }, 0, signal);
  while (reply.waits && !signal.aborted && performance.now() < until) {
    const waitMs = Math.max(0, Math.min(PLAIN_HOLD_MS, until - performance.now()));
    const waited: NativeReply | undefined = await native.wait(reply.resume, ask.source, waitMs, signal);
    reply = waited ?? (await native.ask({ ...ask, resume: readHookResume(reply.resume) }, waitMs, signal));
  }
  return reply;
}

const PLAIN_TEXT = "text/plain; charset=utf-8";

/** Without a reply, the payload is needed again. */
function tellLines(answered: NativeReply | undefined): HttpReply {
  const body =
    answered === undefined ? REPEAT_LINE : answered.waits ? writeWaitLines(answered.resume) : writeAnswerLines(answered.rendering);
  return { status: 200, headers: { "content-type": PLAIN_TEXT }, body };
}

function tellPlainly(answered: NativeReply): HttpReply {
  if (answered.waits) return { status: 200, headers: { "x-earshot-exit": "0", "content-type": JSON_TYPE }, body: "{}" };
  const { exitCode, stdout, stderr } = answered.rendering;
  const type = stdout.startsWith("{") ? JSON_TYPE : PLAIN_TEXT;
  return { status: 200, headers: { "x-earshot-exit": String(exitCode), "content-type": type }, body: stdout === "" ? stderr : stdout };
}

interface HookRoutes {
  readonly hooks: HookGate;
  readonly eventBytes: number;
  /** Limits the memory of unfinished bodies. */
  readonly admission: IntakeAdmission;
}

/** Query parameters about the agent, all optional. */
const hookQuery = Type.Object({
  ...waitQuery.properties,
  asks: queryFlag("1: the agent itself wants to ask (a permission hook)"),
  dialog: queryFlag("1: and shows its own dialog meanwhile"),
  canAsk: queryFlag("0: the agent cannot ask by itself when it is told to; then silence is a no"),
  attended: queryFlag("0: nobody is at the agent: a headless run"),
  longest,
});
const withdrawn = { 200: Type.Object({ request: Type.String(), state: Type.String() }) };

/** An AEP event in, an AEP response out, for agents that ask before they act. */
export function registerHooks(app: FastifyInstance, { hooks, eventBytes, admission }: HookRoutes): void {
  app.post(
    "/aep/v1/hooks",
    defineRoute(
      "producer",
      "an AEP event that waits for its response",
      { querystring: hookQuery, response: { 200: hookAnswerSchema } },
      { body: Type.Unsafe<object>({ type: "object", description: "an AEP event" }) },
    ),
    async (request, reply) => {
      const { name } = callerOf(request);
      const { wait, asks, dialog, canAsk, attended, longest: longestMs = null } = request.query;
      const body = await readCounted(request.raw, eventBytes, { name, admission });
      const text = body.toString("utf8");
      const { now, redacts } = hooks.engine.intake;
      const read = await readInTurns(text, body.length, hookOrigin(name), { receivedAt: now(), redacts });
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
      const ask = {
        submission,
        raw: raw.value as JsonObject,
        asksItself: asks === "1",
        besideDialog: dialog === "1",
        canAsk: canAsk !== "0",
        attended: attended !== "0",
        longestMs,
      };
      const answer = await hooks.ask(ask, wait, abortedOnClose(reply));
      provesAnswer(request, { asked: body, request: answer.request });
      return answer;
    },
  );
  registerHookPolls(app, hooks);
}

function registerHookPolls(app: FastifyInstance, hooks: HookGate): void {
  const { engine } = hooks;
  app.get(
    "/aep/v1/hooks/:id",
    defineRoute("producer", "the response, when there is one", {
      params: idParameters,
      querystring: waitQuery,
      response: { 200: hookAnswerSchema },
    }),
    async (request, reply) => {
      const answer = await hooks.poll(request.params.id, callerOf(request).name, request.query.wait, abortedOnClose(reply));
      provesAnswer(request, { asked: Buffer.alloc(0), request: answer.request });
      return answer;
    },
  );

  app.post(
    "/aep/v1/hooks/:id/withdraw",
    defineRoute("producer", "takes back what one has asked", { params: idParameters, body: reasonedBody, response: withdrawn }),
    async (request) => {
      const { name } = callerOf(request);
      const held = await engine.poll(request.params.id, name, 0); // only who asked gets past this
      const { state } = await engine.withdraw(held.id, { by: name, asker: true, ...request.body });
      return { request: held.id, state };
    },
  );
}

/** The tool call that an answer is about. */
interface Told {
  /** The request's body. */
  readonly asked: Buffer;
  readonly request: string | null;
}

const LONGEST_NONCE = 128;
const told = new WeakMap<FastifyRequest, Told>();

/** Marks an answer to be proven if the caller wants that; see hooks/hook-protocol.ts. */
function provesAnswer(request: FastifyRequest, about: Told): void {
  told.set(request, about);
}

/** For callers over TCP, where any program may hold the port. */
export function registerProofs(app: FastifyInstance, key: string): void {
  const nonce = Type.String({ minLength: 1, maxLength: LONGEST_NONCE, description: "a text of the caller's own choosing" });
  app.get(
    "/hooks/proof",
    defineRoute("anyone", "shows that this is the hub of its user", {
      querystring: Type.Object({ nonce }),
      response: { 200: Type.Object({ proof: Type.String() }) },
    }),
    async ({ query, socket }) => ({ proof: proveHub(key, query.nonce, socket.localPort ?? 0) }),
  );

  app.addHook("onSend", (request, reply, payload, done) => {
    const { "x-earshot-nonce": asked } = request.headers;
    const about = told.get(request);
    if (typeof asked === "string" && asked.length <= LONGEST_NONCE && about !== undefined && typeof payload === "string") {
      const id = about.request ?? "";
      reply.header("x-earshot-request", id);
      reply.header("x-earshot-proof", proveAnswerLines(key, { nonce: asked, request: id, asked: about.asked, answer: payload }));
    }
    done();
  });
}
