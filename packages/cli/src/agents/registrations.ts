import type { AgentCard, Moment } from "@earshot/agents";
import { readShippedAgent } from "@earshot/agents/files";
import type { JsonValue } from "@earshot/protocol/json";
import { compareVersions } from "../compare-versions.ts";

/** One hook as it is to be registered. */
export interface Registration {
  readonly hook: string;
  readonly moment: Moment;
  /** Whether it may wait for a person. */
  readonly gates: boolean;
  /** It could refuse, and is registered only to watch. */
  readonly watchOnly: boolean;
  /** Whether a failure of the hook must not let the tool run. */
  readonly failsClosed: boolean;
  readonly matcher?: string;
  readonly timeoutS: number;
}

/** At these something can still be refused, and a person may be waited for. */
const GATING: ReadonlySet<Moment> = new Set(["before_action", "permission", "question", "prompt"]);

/**
 * The hooks to register for, in the agent's own terms. What can change something is gated; the rest is watched. `version` is that
 * of the agent, where it is known and matters.
 */
export function registrationsFor(card: AgentCard, version?: string): readonly Registration[] {
  const isOld = isTooOld(card, version);
  const hooks = isOld ? card.hooks.filter((hook) => card.newer?.hooks.includes(hook) !== true) : card.hooks;
  return hooks
    .filter((hook) => isOld || !(hook === "PreCompact" && card.hooks.includes("PostCompact")))
    .flatMap((hook) => registrationsAt(card, hook));
}

/** Whether some hooks would be more than the agent understands, or may be: its version is not known. */
export function isTooOld({ newer }: AgentCard, version: string | undefined): boolean {
  return newer !== undefined && (version === undefined || compareVersions(version, newer.since) < 0);
}

/** What is said when Earshot has nothing to say; undefined where that is nothing at all. */
export function neutralOf(card: AgentCard): JsonValue | undefined {
  return readShippedAgent(card.slug)?.answers.neutral.stdout;
}

export function momentOf({ slug }: AgentCard, hook: string): Moment {
  const moments = MOMENTS.get(slug) ?? readMoments(slug);
  MOMENTS.set(slug, moments);
  return moments.get(hook) ?? "observe";
}

/** Files that ship with Earshot do not change while it runs, and are asked for hook by hook. */
const MOMENTS = new Map<string, ReadonlyMap<string, Moment>>();

function readMoments(slug: string): ReadonlyMap<string, Moment> {
  const answers = readShippedAgent(slug)?.answers.hooks ?? [];
  return new Map(answers.flatMap(({ hooks, moment }) => hooks.map((hook) => [hook, moment] as const)));
}

/** How long the agent waits at a hook as it is registered here, so that an answer can come before that. */
export function deadlineMsOf(card: AgentCard, hook: string): number {
  const { gateS, observeS, hooksS = {} } = card.deadline;
  return (hooksS[hook] ?? (GATING.has(momentOf(card, hook)) ? gateS : observeS)) * 1000;
}

function registrationsAt(card: AgentCard, hook: string): readonly Registration[] {
  const { tools } = card;
  const moment = momentOf(card, hook);
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

/** A hook for one kind of tool has nothing to choose from: its matcher is for something else. */
function isSpecific(card: AgentCard, hook: string): boolean {
  return card.tools.elsewhere !== undefined && card.tools.elsewhere[hook] === undefined;
}
