import type { AgentCard, HookMoment } from "@earshot/agents";
import { readShippedAgent } from "@earshot/agents/files";
import type { JsonValue } from "@earshot/protocol/json";
import { compareVersions } from "../compare-versions.ts";

/** One hook to register. */
export interface Registration {
  readonly hook: string;
  readonly moment: HookMoment;
  /** Whether it may wait for a person. */
  readonly gates: boolean;
  /** It could refuse but only observes. */
  readonly watchOnly: boolean;
  /** Whether the tool must not run if the hook fails. */
  readonly failsClosed: boolean;
  readonly matcher?: string;
  readonly timeoutS: number;
}

/** Hooks that can refuse and may wait for a person. */
const GATING: ReadonlySet<HookMoment> = new Set(["before_action", "permission", "question", "prompt"]);

/**
 * The hooks to register, in the agent's terms. Hooks for tools that can change something are gated; others observe. `version` is given if
 * it is known and matters.
 */
export function registrationsFor(card: AgentCard, version?: string): readonly Registration[] {
  const isOld = isTooOld(card, version);
  const hooks = isOld ? card.hooks.filter((hook) => card.newer?.hooks.includes(hook) !== true) : card.hooks;
  return hooks
    .filter((hook) => isOld || !(hook === "PreCompact" && card.hooks.includes("PostCompact")))
    .flatMap((hook) => registrationsAt(card, hook));
}

/** Whether the agent does not know some hooks, or its version is unknown. */
export function isTooOld({ newer }: AgentCard, version: string | undefined): boolean {
  return newer !== undefined && (version === undefined || compareVersions(version, newer.since) < 0);
}

/** The neutral answer; undefined for no output. */
export function neutralOf(card: AgentCard): JsonValue | undefined {
  return readShippedAgent(card.slug)?.answers.neutral.stdout;
}

export function hookMomentOf({ slug }: AgentCard, hook: string): HookMoment {
  const moments = MOMENTS.get(slug) ?? readMoments(slug);
  MOMENTS.set(slug, moments);
  return moments.get(hook) ?? "observe";
}

/** Cached: shipped files do not change, and this is called for every hook. */
const MOMENTS = new Map<string, ReadonlyMap<string, HookMoment>>();

function readMoments(slug: string): ReadonlyMap<string, HookMoment> {
  const answers = readShippedAgent(slug)?.answers.hooks ?? [];
  return new Map(answers.flatMap(({ hooks, moment }) => hooks.map((hook) => [hook, moment] as const)));
}

/** The agent's timeout for a registered hook, before which an answer must be given. */
export function deadlineMsOf(card: AgentCard, hook: string): number {
  const { gateS, observeS, hooksS = {} } = card.deadline;
  return (hooksS[hook] ?? (GATING.has(hookMomentOf(card, hook)) ? gateS : observeS)) * 1000;
}

function registrationsAt(card: AgentCard, hook: string): readonly Registration[] {
  const { tools } = card;
  const moment = hookMomentOf(card, hook);
  const gates = GATING.has(moment);
  const isAction = moment === "before_action";
  const timeoutS = deadlineMsOf(card, hook) / 1000;
  const watching = { hook, moment, gates: false, watchOnly: true, failsClosed: false, timeoutS: card.deadline.observeS };
  if (tools.harmlessHooks?.includes(hook) === true) return [watching];
  const gating = { hook, moment, gates, watchOnly: false, failsClosed: isAction, timeoutS };
  const watched = isAction ? [...tools.harmless, ...(tools.elsewhere?.[hook] ?? [])] : [];
  const isNarrower = tools.matcher === "javascript" && watched.length > 0 && !isSpecific(card, hook);
  if (!isNarrower) return [gating];
  const names = watched.join("|");
  return [
    { ...gating, matcher: `^(?!(?:${names})$)` },
    { ...watching, matcher: `^(?:${names})$` },
  ];
}

/** A hook for one kind of tool needs no tool matcher. */
function isSpecific(card: AgentCard, hook: string): boolean {
  return card.tools.elsewhere !== undefined && card.tools.elsewhere[hook] === undefined;
}
