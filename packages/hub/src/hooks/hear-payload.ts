import {
  comesTo,
  type MappedEvent,
  type Moment,
  mapPayload,
  type RenderContext,
  type Rendering,
  recogniseSender,
  renderAnswer,
  renderNeutral,
  toSlug,
} from "@earshot/agents";
import type { AgentFiles } from "@earshot/agents/files";
import type { AepEvent, AepResponse } from "@earshot/protocol";
import type { JsonObject } from "@earshot/protocol/json";

/** What a hook was given, and what is known beside it. */
export interface NativeSaid {
  /** For which agent the hook was registered. */
  readonly registered: string;
  readonly payload: JsonObject;
  readonly hook?: string | undefined;
  /** Variables of the agent's environment that say something about it. They are believed no further than the payload. */
  readonly env?: Readonly<Record<string, string>>;
  readonly now: number;
  readonly ids: () => string;
}

/** A payload as it was understood: what it says in AEP, and how its sender is to be answered. */
export interface HeardPayload {
  /** Who really sent it. */
  readonly slug: string;
  readonly hook: string | undefined;
  readonly events: readonly MappedEvent[];
  /** What can be said at this hook; undefined for one that nobody has described. */
  readonly moment: Moment | undefined;
  /** Whether the agent asks a person when it is told to, or when it is told nothing. */
  readonly canAsk: boolean;
  /** Whether a yes spares the person the agent's own question. */
  readonly canGrant: boolean;
  /** Whether the agent shows a dialog of its own meanwhile: whichever is answered first counts. */
  readonly besideDialog: boolean;
  readonly neutral: Rendering;
  render(response: AepResponse, context?: RenderContext): Rendering;
}

/** Speaks AEP itself: its payload is the event, and its answer the response. */
export const NATIVE = "aep";

/** Undefined for an agent that nobody has described. The same for the hub and for a hook that finds none. */
export async function hearPayload(files: AgentFiles, said: NativeSaid): Promise<HeardPayload | undefined> {
  const { payload, env = {}, now, ids } = said;
  if (said.registered === NATIVE) return hearNative(payload);
  const registered = toSlug(said.registered);
  if (registered === undefined) return undefined;
  const known = await files.agent(registered);
  const sender = recogniseSender(payload, { registered, env });
  const agent = sender.slug === registered ? known : ((await files.agent(sender.slug)) ?? known);
  if (agent === undefined) return undefined;
  const { hook, events } = mapPayload(agent.mapping, payload, { hook: said.hook, now, ids, env });
  const { answers } = agent;
  const described = hook === undefined ? undefined : answers.answersOf(hook);
  return {
    slug: agent.slug,
    hook,
    events,
    moment: described?.moment,
    canGrant: hook !== undefined && answers.answersOf(hook)?.grants !== "nothing",
    canAsk: hook !== undefined && ASKING.has(comesTo(answers, hook, "ask")),
    besideDialog: described?.dialog === "beside",
    neutral: renderNeutral(answers),
    render: (response, context) => renderAnswer(answers, hook, response, context),
  };
}

/** An ask that comes to one of these leads to a person: where it comes to nothing, silence does. */
const ASKING: ReadonlySet<string> = new Set(["ask", "abstain"]);

function hearNative(payload: JsonObject): HeardPayload {
  const { type, agent, hook } = payload;
  const slug = typeof agent === "object" && agent !== null && "slug" in agent ? String(agent["slug"]) : NATIVE;
  return {
    slug,
    hook: typeof hook === "string" ? hook : undefined,
    // Whether it is one is found out where it is stored; what the rules read of it they take from anything.
    events: typeof type === "string" ? [{ event: payload as unknown as AepEvent }] : [],
    moment: "before_action",
    canAsk: true,
    canGrant: true,
    besideDialog: false,
    neutral: { exitCode: 0, stdout: "", stderr: "" },
    render: (response) => ({ exitCode: 0, stdout: `${JSON.stringify(response)}\n`, stderr: "" }),
  };
}
