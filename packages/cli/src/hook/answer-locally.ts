import { join } from "node:path";
import { type RenderedAnswer, withRendering } from "@earshot/agents";
import { AgentFiles, createEventId } from "@earshot/agents/files";
import type { HubHome } from "@earshot/hub/home";
import {
  AEP_SENDER,
  fitEvent,
  type HookResume,
  isAgentAccepted,
  judgeLocally,
  type MappedHook,
  mapHookPayload,
  type NativePayload,
  type RequestAnswer,
  readHookEvent,
  redactLine,
  restoreCalls,
  spoolLines,
  toHookResponse,
  UNREADABLE,
  type UnreadableAnswer,
  unreadableAnswerLocally,
} from "@earshot/hub/hook";
import type { AepEvent, AepResponse } from "@earshot/protocol";
import type { JsonObject } from "@earshot/protocol/json";

export interface LocalHookRun {
  readonly home: HubHome;
  readonly userHome: string;
  readonly said: Omit<NativePayload, "now" | "ids">;
  readonly now: number;
  readonly observes: boolean;
  /** The hub was asked before and has the events. */
  readonly resume?: HookResume | undefined;
  /** The launcher's own answer for an unreadable action. */
  readonly unreadable?: UnreadableAnswer | undefined;
}

/**
 * Answers without a hub by the same rules: a request for a person gets the rule's `unreachable` answer, and an action without a rule is
 * left to the agent. Events and answers are spooled for the hub. Undefined for an unknown agent.
 */
export async function answerLocally(ask: LocalHookRun): Promise<RenderedAnswer | undefined> {
  const { home, said, now, observes, resume } = ask;
  const ids = [...(resume?.ids ?? [])];
  const at = resume?.at ?? now;
  const files = new AgentFiles({
    folder: join(home.folder, "agents"),
    isAccepted: (slug, hash) => isAgentAccepted(home, slug, hash),
  });
  const heard = await mapHookPayload(files, { ...said, now: at, ids: () => ids.shift() ?? createEventId(at) });
  if (heard === undefined) return undefined;
  const { answer: unreadable, areRulesKnown } = await unreadableAnswerLocally(home, ask.unreadable);
  const fallback = { answer: unreadable, message: areRulesKnown ? UNREADABLE : RULES_GONE, isForAll: !areRulesKnown };
  if (heard.isUnreadable && !observes) {
    const unread = heard.renderUnread(fallback.answer, fallback.message);
    if (unread !== undefined) return unread;
  }
  const events = resume === undefined ? heard.events.map(({ event }) => event) : restoreCalls(heard.events, resume);
  const holds = !observes && heard.moment !== undefined && heard.moment !== "observe";
  const lines: object[] = [];
  let rendering = heard.neutral;
  let isAnswered = false;
  for (const event of events) {
    if (resume === undefined) lines.push(fitEvent(event));
    const answer = holds && !isAnswered ? await judge(ask, heard, event, fallback) : undefined;
    if (answer === undefined) continue;
    isAnswered = true;
    const response = respond(event, answer, now);
    rendering = heard.render(response, { input: event.action?.input as JsonObject | undefined });
    lines.push(withRendering(response, rendering));
  }
  const isKept = keep(home, lines, now);
  const [first] = events;
  // Agents that speak AEP get a response even for no opinion.
  if (!isAnswered && said.registered === AEP_SENDER && first !== undefined)
    rendering = heard.render(respond(first, { word: "abstain" }, now));
  if (first?.type === "session.start") rendering = heard.render(respond(first, { word: "abstain", message: isKept ? ABSENT : DEAF }, now));
  return rendering;
}

const ABSENT =
  "Earshot's hub is not running. Events are kept and recorded later. Your rules still apply, but requests cannot reach you. To start it: `earshot start`.";
const DEAF = "Earshot's hub is not running, and nothing can be kept: this session is not recorded. `earshot doctor` says why.";
const RULES_GONE = "Earshot's hub is not running, and its rules cannot be read. `earshot doctor` says why.";
const UNREACHABLE = "Earshot's hub could not be reached, so no one was asked.";

interface Fallback {
  readonly answer: UnreadableAnswer;
  readonly message: string;
  /** The accepted rules are missing, so readable actions cannot be judged either. */
  readonly isForAll: boolean;
}

/** Undefined for no opinion. */
async function judge(
  { home, userHome, said }: LocalHookRun,
  heard: MappedHook,
  event: AepEvent,
  fallback: Fallback,
): Promise<RequestAnswer | undefined> {
  const asksItself = heard.moment === "permission";
  const isAction = asksItself || heard.moment === "before_action";
  const expectsInput = said.registered !== AEP_SENDER;
  const read = readHookEvent(event.type, event as unknown as JsonObject, { asksItself, attended: heard.attended, expectsInput });
  if (read === undefined) return undefined;
  const ruling = await judgeLocally(home, userHome, read.put);
  const { behaviour, rule, message, unreachable, updatedInput } = ruling;
  const passes = rule === undefined || behaviour === "abstain" || behaviour === "allow" || behaviour === "continue";
  const isUnjudged = read.isUnreadable || (fallback.isForAll && isAction);
  if (passes && isUnjudged && fallback.answer !== "nothing") return { word: fallback.answer, message: fallback.message };
  if (rule === undefined || behaviour === "abstain") return undefined;
  if (behaviour === "ask" || behaviour === "defer") {
    return { word: unreachable, message: [message, UNREACHABLE].filter((one) => one !== undefined).join(" ") };
  }
  return {
    word: behaviour,
    ...(message === undefined ? {} : { message }),
    ...(updatedInput === undefined ? {} : { updatedInput }),
  };
}

function respond(
  event: AepEvent,
  { updatedInput, ...answer }: RequestAnswer & { readonly updatedInput?: unknown },
  now: number,
): AepResponse {
  return toHookResponse({
    requestEventId: event.id,
    actionId: event.action?.id,
    answer,
    by: "auto-policy",
    reason: "Decided by the rules on disk: the hub could not be reached.",
    ...(updatedInput === undefined ? {} : { updatedInput: updatedInput as JsonObject }),
    askedAt: now,
    now,
    id: createEventId(now).replace(/^evt_/, "rsp_"),
  });
}

function keep(home: HubHome, lines: readonly object[], now: number): boolean {
  if (lines.length === 0) return true;
  try {
    spoolLines(home.hookSpool, lines.map(redactLine), now);
    return true;
  } catch {
    return false; // a full disk, or one that cannot be written: the answer is given all the same
  }
}
