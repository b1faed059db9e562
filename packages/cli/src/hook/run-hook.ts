import { homedir } from "node:os";
import { type Rendering, renderAnswer, renderNeutral, toSlug } from "@earshot/agents";
import { AgentFiles } from "@earshot/agents/files";
import type { Home } from "@earshot/hub/home";
import { type HookLines, readHookLines, readResume } from "@earshot/hub/hook";
import { isObject, readJson } from "@earshot/protocol/json";
import { answerLocally } from "./answer-locally.ts";
import { type Answered, askHub } from "./hub-line.ts";
import { startOnce } from "./start-once.ts";

export interface HookRun {
  readonly home: Home;
  readonly agent: string;
  readonly hook: string;
  /** How long the agent waits. */
  readonly seconds: number;
  readonly observes: boolean;
  /** Variables of the agent's surroundings, as `NAME=value;…`. */
  readonly clues: string;
  /** What the hub said last, when it was asked before. */
  readonly resume: string;
  /** It was asked just now, and did not answer. */
  readonly isSilent: boolean;
  readonly text: string;
}

/** How long a hub that was started may take before the rules on disk decide. */
const START_MS = 1000;
/** And where somebody had been asked already: a hub that restarts takes some seconds. */
const RESTART_MS = 15_000;
const KNOCK_MS = 40;
const FIRST_MS = 1000;
const SLICE_MS = 25_000;
const MARGIN_MS = 3000;

/** One hook, from payload to answer. Never throws; whatever goes wrong, the agent reads something that it understands. */
export async function runHook(run: HookRun): Promise<Pick<Rendering, "exitCode" | "stdout" | "stderr">> {
  const began = performance.now();
  const leftMs = () => run.seconds * 1000 - MARGIN_MS - (performance.now() - began) - waitedBefore(run);
  try {
    const told = run.isSilent ? undefined : await askWhileThereIsTime(run, leftMs);
    return told ?? (await decideHere(run));
  } catch {
    return neutral(run.agent); // our own faults end in the answer that changes nothing
  }
}

export const TOO_LARGE = "This is too large for Earshot to look at.";
const UNREADABLE = "Earshot could not read what the agent wants to do.";

/** What cannot be looked at is not let through unseen, where an agent can be told so at all. */
export async function answerUnseen({ agent, hook }: Pick<HookRun, "agent" | "hook">, message: string): Promise<Rendering | undefined> {
  const known = await new AgentFiles().agent(agent);
  if (known === undefined) return undefined;
  const moment = known.answers.answersOf(hook)?.moment;
  if (moment !== "before_action" && moment !== "permission") return renderNeutral(known.answers);
  const time = new Date().toISOString();
  return renderAnswer(known.answers, hook, {
    aep_version: "0.1",
    id: "rsp_unseen",
    request_event_id: "evt_unseen",
    time,
    control: { behavior: "ask", message },
    decision: { outcome: "info" },
  });
}

/** Undefined where no hub answers in time. */
async function askWhileThereIsTime(run: HookRun, leftMs: () => number): Promise<Extract<HookLines, { kind: "answer" }> | undefined> {
  let { resume } = run;
  let patienceEnds = 0;
  for (;;) {
    const isFirst = resume === "";
    const waitMs = isFirst ? 0 : Math.max(0, Math.min(SLICE_MS, leftMs()));
    const answered = await ask(run, resume, waitMs);
    const lines = answered.kind === "answered" && answered.status === 200 ? readHookLines(answered.body) : undefined;
    if (lines?.kind === "answer") return lines;
    if (lines?.kind === "wait") {
      if (leftMs() <= 0) return undefined;
      resume = lines.resume;
      patienceEnds = 0;
      continue;
    }
    if (!isPassing(answered)) return undefined;
    const now = performance.now();
    if (patienceEnds === 0) {
      if (!startOnce(run.home) && isFirst) return undefined;
      patienceEnds = now + Math.min(isFirst ? START_MS : RESTART_MS, Math.max(0, leftMs()));
    }
    if (now >= patienceEnds) return undefined;
    await new Promise((resolve) => setTimeout(resolve, KNOCK_MS));
  }
}

/** Nobody is there, or somebody else, or not ready yet: that may change. Who does not answer is not asked again. */
function isPassing(answered: Answered): boolean {
  return answered.kind === "gone" || answered.kind === "stranger" || (answered.kind === "answered" && answered.status === 503);
}

function ask({ home, agent, hook, seconds, observes, clues, text }: HookRun, resume: string, waitMs: number): Promise<Answered> {
  const query = new URLSearchParams({
    as: "lines",
    hook,
    longest: String(seconds * 1000),
    observe: observes ? "1" : "0",
    wait: String(Math.floor(waitMs)),
  });
  const headers = { ...(resume === "" ? {} : { "x-earshot-resume": resume }), ...(clues === "" ? {} : { "x-earshot-env": clues }) };
  return askHub(home, { path: `/hooks/${encodeURIComponent(agent)}?${query}`, body: text, headers, timeoutMs: FIRST_MS + waitMs });
}

async function decideHere({ home, agent, hook, observes, clues, resume, text }: HookRun): Promise<Rendering> {
  const read = readJson(text.replace(/^\uFEFF/, ""));
  // What begins like a payload and has no end was cut on its way: what is missing may be what matters.
  if (!read.ok && text.trimStart().startsWith("{")) return (await answerUnseen({ agent, hook }, UNREADABLE)) ?? neutral(agent);
  if (!read.ok || !isObject(read.value)) return neutral(agent);
  const env = Object.fromEntries(clues.split(";").flatMap((clue) => (clue.includes("=") ? [splitOnce(clue)] : [])));
  const said = { registered: agent, payload: read.value, hook: hook === "" ? undefined : hook, env };
  const given = resume === "" ? undefined : readResume(resume);
  const answer = await answerLocally({ home, userHome: homedir(), said, now: Date.now(), observes, resume: given });
  return answer ?? neutral(agent);
}

async function neutral(agent: string): Promise<Rendering> {
  try {
    const known = toSlug(agent) === undefined ? undefined : await new AgentFiles().agent(agent);
    if (known !== undefined) return renderNeutral(known.answers);
  } catch {
    // Even that cannot be read: nothing is said.
  }
  return { exitCode: 0, stdout: "", stderr: "" };
}

/** How long it had waited before this process began: its first question says when that was. */
function waitedBefore({ resume }: HookRun): number {
  const at = resume === "" ? undefined : readResume(resume)?.at;
  return at === undefined ? 0 : Math.max(0, Date.now() - performance.now() - at);
}

function splitOnce(clue: string): readonly [string, string] {
  const at = clue.indexOf("=");
  return [clue.slice(0, at), clue.slice(at + 1)];
}
