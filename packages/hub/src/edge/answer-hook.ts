import type { IncomingHttpHeaders } from "node:http";
import { LONGEST_POLL_MS } from "../decide/engine.ts";
import { writeAnswer, writeWait } from "../hooks/hook-lines.ts";
import type { NativeAsk, NativeHooks, NativeReply } from "../hooks/native-hooks.ts";
import { readResume } from "../hooks/resume-token.ts";
import type { Admission } from "../intake/admission.ts";
import type { Answer } from "./answer.ts";
import { LONGEST_HOLD_MS } from "./hook-routes.ts";
import type { Told } from "./proven-answers.ts";
import { numberIn } from "./request-routes.ts";

export interface HookCallPorts {
  readonly native: NativeHooks;
  readonly payloadBytes: number;
  readonly admission: Admission;
}

/** One hook of a coding agent that calls, whichever way it came. */
export interface HookCall {
  readonly headers: IncomingHttpHeaders;
  /** How long the body is said to be; NaN where nothing is said. */
  readonly size: number;
  readonly readBody: (longestBytes: number) => Promise<Buffer>;
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
export async function answerHook(call: HookCall, { native, payloadBytes, admission }: HookCallPorts): Promise<AnsweredHook> {
  const { query, name, gone } = call;
  const size = Math.min(Number.isNaN(call.size) ? payloadBytes : call.size, payloadBytes);
  admission.admit(name, size);
  let body: Buffer;
  try {
    body = await call.readBody(payloadBytes);
  } finally {
    admission.release(name, size);
  }
  const ask = readAsk(call, body);
  const inLines = query["as"] === "lines";
  const answered = inLines
    ? await native.ask(ask, numberIn(query, "wait", 0, LONGEST_POLL_MS), gone)
    : await askUntilTold(native, ask, gone);
  return { answer: inLines ? tellLines(answered) : tellPlainly(answered), told: { asked: body, request: answered.request } };
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
