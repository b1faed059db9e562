import { readBytes } from "@earshot/aaep/node";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { writeAnswer, writeWait } from "../hooks/hook-lines.ts";
import type { NativeAsk, NativeHooks, NativeReply } from "../hooks/native-hooks.ts";
import { readResume } from "../hooks/resume-token.ts";
import type { Admission } from "../intake/admission.ts";
import { callerOf } from "./access.ts";
import { LONGEST_HOLD_MS } from "./hook-routes.ts";
import { provesAnswer } from "./proven-answers.ts";
import { closing, queryOf, readNumber, waitOf } from "./request-routes.ts";

export interface NativeHookRoutePorts {
  readonly native: NativeHooks;
  readonly payloadBytes: number;
  readonly admission: Admission;
}

/** An agent that writes a file hands over the whole of it. */
export const PAYLOAD_BYTES = 16 * 1024 * 1024;

type ToAgent = FastifyRequest<{ Params: { agent: string } }>;

/** How long one call waits for a person before it is told to come again, for whoever cannot: an agent's own HTTP hook. */
const PLAIN_HOLD_MS = 25_000;
const MARGIN_MS = 3000;

/**
 * `POST /hooks/AGENT?hook=NAME`: what a coding agent gives its hook, as it is; the answer as that agent reads it. `as=lines` is
 * for our own shim, which comes again while it waits. Without it the answer is the body alone, with the exit code in a header:
 * for agents whose hooks are addresses. Such hooks let everything pass when they fail, so that they are for watching.
 */
export function registerNativeHooks(app: FastifyInstance, { native, payloadBytes, admission }: NativeHookRoutePorts): void {
  app.post(
    "/hooks/:agent",
    { config: { access: "producer", summary: "what a coding agent's hook was given, and the answer it reads" } },
    async (request: ToAgent, reply) => {
      const { name } = callerOf(request);
      const size = Math.min(Number(request.headers["content-length"] ?? payloadBytes) || 0, payloadBytes);
      admission.admit(name, size);
      const body = await readBytes(request.raw, payloadBytes).finally(() => admission.release(name, size));
      const ask = readAsk(request, body, name);
      const inLines = queryOf(request)["as"] === "lines";
      const answered = inLines ? await native.ask(ask, waitOf(request), closing(reply)) : await askUntilTold(native, ask, closing(reply));
      provesAnswer(request, { asked: body, request: answered.request });
      return inLines ? tellLines(answered, reply) : tellPlainly(answered, reply);
    },
  );
}

function readAsk(request: ToAgent, body: Buffer, source: string): NativeAsk {
  const { hook, observe, headless } = queryOf(request);
  const { "x-earshot-resume": resume, "x-earshot-env": env } = request.headers;
  return {
    registered: request.params.agent,
    hook: typeof hook === "string" && hook !== "" ? hook : undefined,
    text: body.toString("utf8"),
    env: readClues(typeof env === "string" ? env : ""),
    source,
    observes: observe === "1",
    headless: headless === "1",
    longestMs: queryOf(request)["longest"] === undefined ? null : readNumber(request, "longest", 0, LONGEST_HOLD_MS),
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

function tellLines(answered: NativeReply, reply: FastifyReply): string {
  reply.header("content-type", "text/plain; charset=utf-8");
  return answered.waits ? writeWait(answered.resume) : writeAnswer(answered.rendering);
}

function tellPlainly(answered: NativeReply, reply: FastifyReply): string {
  if (answered.waits) {
    reply.header("x-earshot-exit", "0").header("content-type", "application/json; charset=utf-8");
    return "{}";
  }
  const { exitCode, stdout, stderr } = answered.rendering;
  reply.header("x-earshot-exit", String(exitCode));
  reply.header("content-type", stdout.startsWith("{") ? "application/json; charset=utf-8" : "text/plain; charset=utf-8");
  return stdout === "" ? stderr : stdout;
}
