import {
  type AnswerContext,
  type AskSupport,
  type CompiledAnswers,
  findResultingBehavior,
  type HookMoment,
  type MappedEvent,
  mapPayload,
  type RenderedAnswer,
  recogniseSender,
  renderAnswer,
  renderNeutral,
  toSlug,
} from "@earshot/agents";
import type { AgentFiles } from "@earshot/agents/files";
import type { AepEvent, AepResponse } from "@earshot/protocol";
import type { JsonObject } from "@earshot/protocol/json";
import { UNREADABLE, type UnreadableAnswer } from "../policy/unreadable.ts";

/** The working folder of an agent's session. Settings in that folder may disable the agent's hooks. */
export interface AgentFolder {
  readonly agent: string;
  readonly cwd: string;
}

/** A hook's payload and circumstances. */
export interface NativePayload {
  /** The agent the hook was registered for. */
  readonly registered: string;
  readonly payload: JsonObject;
  readonly hook?: string | undefined;
  /** Environment variables about the agent, trusted no more than the payload. */
  readonly env?: Readonly<Record<string, string>>;
  /** A run without a person, as far as the launcher knows. */
  readonly headless?: boolean;
  readonly now: number;
  readonly ids: () => string;
}

/** A payload's AEP events, and how to answer its sender. */
export interface MappedHook {
  /** The actual sender. */
  readonly slug: string;
  readonly hook: string | undefined;
  readonly events: readonly MappedEvent[];
  /** The hook's moment; undefined for an unknown hook. */
  readonly moment: HookMoment | undefined;
  /** Whether a person is at the agent; false in headless runs. */
  readonly attended: boolean;
  /** Whether the agent prompts in its permission mode, when told to or by default. */
  readonly canAsk: boolean;
  /** Whether the agent reports the prompts it shows. */
  readonly reportsDialog: boolean;
  /** Whether an allow replaces the agent's own prompt. */
  readonly canGrant: boolean;
  /** Whether the agent shows its own dialog meanwhile: the first answer counts. */
  readonly besideDialog: boolean;
  readonly neutral: RenderedAnswer;
  /** The hook may hold an action, and its payload is not of a known form. */
  readonly isUnreadable: boolean;
  /** The answer for an action that cannot be judged; undefined if the hook holds no actions. */
  renderUnread(answer: UnreadableAnswer, message: string): RenderedAnswer | undefined;
  render(response: AepResponse, context?: AnswerContext): RenderedAnswer;
}

/** Speaks AEP itself: its payload is the event, and its answer the response. */
export const AEP_SENDER = "aep";

/** Hooks that hold an action, whose payload must be readable. */
const GATING: ReadonlySet<HookMoment | undefined> = new Set(["before_action", "permission"]);

/** Reads a payload, with or without a hub. Undefined for an unknown agent. */
export async function mapHookPayload(files: AgentFiles, said: NativePayload): Promise<MappedHook | undefined> {
  const { payload, env = {}, now, ids } = said;
  if (said.registered === AEP_SENDER) return hearNative(payload);
  const registered = toSlug(said.registered);
  if (registered === undefined) return undefined;
  const known = await files.agent(registered);
  const sender = recogniseSender(payload, { registered, env });
  const agent = sender.slug === registered ? known : ((await files.agent(sender.slug)) ?? known);
  if (agent === undefined) return undefined;
  const { hook: named, events, nothing } = mapPayload(agent.mapping, payload, { hook: said.hook, now, ids, env });
  const { answers } = agent;
  const holdsActions = (name: string | undefined) => name !== undefined && GATING.has(answers.answersOf(name)?.moment);
  // A known hook name in the payload takes precedence over the name that the hook was registered for, unless it would release an action.
  const isKnown = named !== undefined && answers.answersOf(named) !== undefined && (holdsActions(named) || !holdsActions(said.hook));
  const hook = isKnown || said.hook === undefined || answers.answersOf(said.hook) === undefined ? named : said.hook;
  const { asking } = answers.answers;
  const attended = said.headless !== true && !isUnattended(asking, env);
  const [first] = events;
  const asks = attended && asksInMode(asking, first === undefined ? UNKNOWN_MODE : first.event.session?.permission_mode);
  const described = hook === undefined ? undefined : answers.answersOf(hook);
  return {
    slug: agent.slug,
    hook,
    events,
    moment: described?.moment,
    canGrant: hook !== undefined && answers.answersOf(hook)?.grants !== "nothing",
    attended,
    canAsk: hook !== undefined && ASKING.has(findResultingBehavior(answers, hook, "ask", { asks })),
    reportsDialog: asking?.reports === true,
    besideDialog: described?.dialog === "beside",
    neutral: renderNeutral(answers),
    isUnreadable: GATING.has(described?.moment) && (!isKnown || (nothing !== undefined && nothing.why !== "ignored")),
    renderUnread: (answer, message) => renderUnreadableAnswer(answers, hook, answer, { message, asks }),
    render: (response, context) => renderAnswer(answers, hook, response, { ...context, headless: !attended, asks }),
  };
}

/** An ask with one of these results reaches a person; with no output, silence does. */
const ASKING: ReadonlySet<string> = new Set(["ask", "abstain"]);

/** The same for an unreadable payload. The permission mode is searched before any text from the model. */
export async function renderUnreadablePayload(
  files: AgentFiles,
  ask: Pick<NativePayload, "registered" | "hook" | "env" | "headless"> & {
    readonly answer: UnreadableAnswer;
    readonly message?: string;
    readonly text?: string;
  },
): Promise<RenderedAnswer | undefined> {
  const agent = await files.agent(ask.registered);
  if (agent === undefined) return undefined;
  const { asking } = agent.answers.answers;
  const isAttended = ask.headless !== true && !isUnattended(asking, ask.env ?? {});
  const asks = isAttended && asksInMode(asking, modeIn(ask.text ?? "") ?? UNKNOWN_MODE);
  return renderUnreadableAnswer(agent.answers, ask.hook, ask.answer, { message: ask.message ?? UNREADABLE, asks });
}

/** A hook's answer for an action that cannot be judged; undefined if the hook holds no actions. */
export function renderUnreadableAnswer(
  answers: CompiledAnswers,
  hook: string | undefined,
  answer: UnreadableAnswer,
  { message, asks }: { readonly message: string; readonly asks: boolean },
): RenderedAnswer | undefined {
  if (answer === "nothing" || hook === undefined || !GATING.has(answers.answersOf(hook)?.moment)) return undefined;
  const response: AepResponse = {
    aep_version: "0.1",
    id: "rsp_unread",
    request_event_id: "evt_unread",
    time: new Date(0).toISOString(),
    control: { behavior: answer, message },
    decision: { outcome: answer === "deny" ? "denied" : "info" },
  };
  return renderAnswer(answers, hook, response, { asks });
}

function modeIn(text: string): string | undefined {
  const end = text.indexOf('"tool_input"');
  return /"permission_mode"\s*:\s*"(\w+)"/.exec(end < 0 ? text : text.slice(0, end))?.[1];
}

const UNKNOWN_MODE = "unknown";

/** In an unlisted permission mode, the agent is assumed to continue without asking. */
function asksInMode(asking: AskSupport | undefined, mode: string | null | undefined): boolean {
  return asking?.modes === undefined || typeof mode !== "string" || asking.modes.includes(mode);
}

/** Build services set `CI`; the other variables are the agent's own. */
function isUnattended(asking: AskSupport | undefined, env: Readonly<Record<string, string>>): boolean {
  if (env["CI"] === "true" || env["CI"] === "1") return true;
  return Object.entries(asking?.unattended ?? {}).some(([name, values]) => values.includes(env[name] ?? ""));
}

function hearNative(payload: JsonObject): MappedHook {
  const { type, agent, hook } = payload;
  const slug = typeof agent === "object" && agent !== null && "slug" in agent ? String(agent["slug"]) : AEP_SENDER;
  return {
    slug,
    hook: typeof hook === "string" ? hook : undefined,
    // Validated when it is stored; the rules tolerate anything.
    events: typeof type === "string" ? [{ event: payload as unknown as AepEvent }] : [],
    moment: "before_action",
    attended: true,
    canAsk: true,
    canGrant: true,
    reportsDialog: false,
    besideDialog: false,
    isUnreadable: false,
    renderUnread: () => undefined,
    neutral: { exitCode: 0, stdout: "", stderr: "" },
    render: (response) => ({ exitCode: 0, stdout: `${JSON.stringify(response)}\n`, stderr: "" }),
  };
}
