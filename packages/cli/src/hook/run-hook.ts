import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { type RenderedAnswer, renderNeutral, toSlug } from "@earshot/agents";
import { AgentFiles } from "@earshot/agents/files";
import type { HubHome } from "@earshot/hub/home";
import {
  type HookLines,
  readHookLines,
  readHookResume,
  renderUnreadablePayload,
  UNREADABLE,
  type UnreadableAnswer,
  unreadableAnswerLocally,
} from "@earshot/hub/hook";
import { isObject, readJson } from "@earshot/protocol/json";
import { answerLocally } from "./answer-locally.ts";
import { type HookReplyOutcome, sendHookToHub } from "./hub-line.ts";
import { startOnce } from "./start-once.ts";

export interface HookInvocation {
  readonly home: HubHome;
  readonly agent: string;
  readonly hook: string;
  /** The agent's timeout. */
  readonly seconds: number;
  readonly observes: boolean;
  /** Environment variables of the agent, as `NAME=value;…`. */
  readonly clues: string;
  /** The resume token of an earlier question. */
  readonly resume: string;
  /** The hub was asked just now and did not answer. */
  readonly isSilent: boolean;
  /** The launcher's own answer for an unreadable action. */
  readonly unreadable: UnreadableAnswer | undefined;
  readonly text: string;
}

/** How long a starting hub may take before the rules on disk decide. */
const START_MS = 1000;
/** The same for a question that was pending: a restarting hub takes a few seconds. */
const RESTART_MS = 15_000;
const KNOCK_MS = 40;
const FIRST_MS = 1000;
const SLICE_MS = 25_000;
const MARGIN_MS = 3000;

/**
 * Runs one hook from payload to answer. Never throws: the agent always reads a valid answer. Undefined if even that is impossible; the
 * launcher then answers itself.
 */
export async function runHook(run: HookInvocation): Promise<Pick<RenderedAnswer, "exitCode" | "stdout" | "stderr"> | undefined> {
  const began = performance.now();
  const leftMs = () => run.seconds * 1000 - MARGIN_MS - (performance.now() - began) - waitedBefore(run);
  try {
    const told = run.isSilent ? undefined : await askWhileThereIsTime(run, leftMs);
    return told ?? (await decideHere(run));
  } catch {
    return answerUnread(run, BROKEN).catch(() => undefined);
  }
}

export const TOO_LARGE = "This is too large for Earshot to check.";
const BROKEN = "Earshot failed while checking this. `earshot doctor` says why.";

/** An unreadable action is not allowed unless no rule restricts any action. */
export async function answerUnread(
  { home, agent, hook, observes, clues, unreadable, text }: Omit<HookInvocation, "seconds" | "resume" | "isSilent">,
  message: string,
): Promise<RenderedAnswer | undefined> {
  const files = new AgentFiles();
  const { answer } = observes ? { answer: "nothing" as const } : await unreadableAnswerLocally(home, unreadable);
  const unread = await renderUnreadablePayload(files, { registered: agent, hook, env: readClues(clues), answer, message, text });
  if (unread !== undefined) return unread;
  const known = toSlug(agent) === undefined ? undefined : await files.agent(agent);
  return known === undefined ? undefined : renderNeutral(known.answers);
}

/** Undefined if no hub answers in time. */
async function askWhileThereIsTime(run: HookInvocation, leftMs: () => number): Promise<Extract<HookLines, { kind: "answer" }> | undefined> {
  let { resume } = run;
  let hasPayload = resume !== "";
  let patienceEnds = 0;
  for (;;) {
    const isFirst = resume === "";
    const waitMs = isFirst ? 0 : Math.max(0, Math.min(SLICE_MS, leftMs()));
    const answered = hasPayload ? await wait(run, resume, waitMs) : await ask(run, resume, waitMs);
    const lines = answered.kind === "answered" && answered.status === 200 ? readHookLines(answered.body) : undefined;
    if (lines?.kind === "answer") return lines;
    if (lines?.kind === "wait") {
      if (leftMs() <= 0) return undefined;
      resume = lines.resume;
      hasPayload = true;
      patienceEnds = 0;
      continue;
    }
    if (lines?.kind === "again" && hasPayload) {
      hasPayload = false;
      continue;
    }
    if (!isPassing(answered)) return undefined;
    const now = performance.now();
    if (patienceEnds === 0) {
      if (hasLostHome(run)) return undefined;
      const isStarting = !run.home.isSeparate && startOnce(run.home); // a hub of another account is started by the system
      if (!isStarting && isFirst) return undefined;
      patienceEnds = now + Math.min(isFirst ? START_MS : RESTART_MS, Math.max(0, leftMs()));
    }
    if (now >= patienceEnds) return undefined;
    await new Promise((resolve) => setTimeout(resolve, KNOCK_MS));
  }
}

/** The launcher was written with rules and their folder is missing: a hub started there would know none. */
function hasLostHome({ home, unreadable = "nothing" }: HookInvocation): boolean {
  return unreadable !== "nothing" && !home.isSeparate && !existsSync(home.ledger) && !existsSync(home.policy);
}

/** Nothing, another program, or a starting hub may change; a silent hub is not asked again. */
function isPassing(answered: HookReplyOutcome): boolean {
  return answered.kind === "gone" || answered.kind === "stranger" || (answered.kind === "answered" && answered.status === 503);
}

function ask(
  { home, agent, hook, seconds, observes, clues, unreadable, text }: HookInvocation,
  resume: string,
  waitMs: number,
): Promise<HookReplyOutcome> {
  const query = new URLSearchParams({
    as: "lines",
    hook,
    longest: String(seconds * 1000),
    observe: observes ? "1" : "0",
    wait: String(Math.floor(waitMs)),
    ...(unreadable === undefined ? {} : { unreadable }),
  });
  const headers = { ...(resume === "" ? {} : { "x-earshot-resume": resume }), ...(clues === "" ? {} : { "x-earshot-env": clues }) };
  return sendHookToHub(home, { path: `/hooks/${encodeURIComponent(agent)}?${query}`, body: text, headers, timeoutMs: FIRST_MS + waitMs });
}

function wait({ home, agent }: HookInvocation, resume: string, waitMs: number): Promise<HookReplyOutcome> {
  const path = `/hooks/${encodeURIComponent(agent)}/wait?wait=${Math.floor(waitMs)}`;
  return sendHookToHub(home, { path, body: resume, timeoutMs: FIRST_MS + waitMs });
}

async function decideHere(run: HookInvocation): Promise<RenderedAnswer | undefined> {
  const { home, agent, hook, observes, clues, resume, unreadable, text } = run;
  const read = readJson(text.replace(/^\uFEFF/, ""));
  if (!read.ok || !isObject(read.value)) return answerUnread(run, UNREADABLE);
  const said = { registered: agent, payload: read.value, hook: hook === "" ? undefined : hook, env: readClues(clues) };
  const given = resume === "" ? undefined : readHookResume(resume);
  return answerLocally({ home, userHome: homedir(), said, now: Date.now(), observes, resume: given, unreadable });
}

function readClues(clues: string): Readonly<Record<string, string>> {
  return Object.fromEntries(clues.split(";").flatMap((clue) => (clue.includes("=") ? [splitOnce(clue)] : [])));
}

/** How long it waited before this process started, according to the time in its first question. */
function waitedBefore({ resume }: HookInvocation): number {
  const at = resume === "" ? undefined : readHookResume(resume)?.at;
  return at === undefined ? 0 : Math.max(0, Date.now() - performance.now() - at);
}

function splitOnce(clue: string): readonly [string, string] {
  const at = clue.indexOf("=");
  return [clue.slice(0, at), clue.slice(at + 1)];
}
