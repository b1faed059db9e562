import type { Behavior } from "@earshot/protocol/aep";
import type { JsonValue } from "@earshot/protocol/json";
import { plainName } from "../mapping/compile-mapping.ts";

/**
 * A file of answers as plain data: how an agent wants to be told what an AEP response says, hook by hook. It can be written as
 * JSON and read back.
 */
export interface Answers {
  readonly agent: string;
  readonly gate: Gate;
  /** What is said when Earshot has no opinion, or has failed: the answer that changes nothing. */
  readonly neutral: Reply;
  /** Characters that the agent takes in a message, and as added context. */
  /** When the agent really asks a person that it is told to ask. Left out: always, as far as is known. */
  readonly asking?: Asking;
  readonly limits: { readonly message: number; readonly context: number };
  readonly hooks: readonly HookAnswers[];
}

/** When an answer of `ask` reaches a person. */
export interface Asking {
  /** The permission modes in which the agent asks. In any other mode that a payload names it goes on, or refuses by itself. */
  readonly modes?: readonly string[];
  /** Values of environment variables that say that nobody is there. */
  readonly unattended?: Readonly<Record<string, readonly string[]>>;
  /** The agent runs its permission hook for each question that it shows: what runs without one was not asked about. */
  readonly reports: boolean;
}

/**
 * How far the gate of this agent can be trusted. `obeyed`: the agent itself was seen to obey it, and what it does when it is broken
 * was compared with what we say about it; `drilled`: held and broken on purpose with a simulated agent; `untried`: a refusal is
 * written as the agent's documents ask, and nobody has seen it obeyed; `none`: nothing can be held.
 */
export const GATES = ["obeyed", "drilled", "untried", "none"] as const;
export type Gate = (typeof GATES)[number];

/**
 * What happens around the hook, which decides what a behaviour can still mean. At the first six something can be refused; at
 * the ends and after a tool something can be sent back; elsewhere the agent only tells. `change` is anything else that is
 * about to happen: a compaction, a new setting.
 */
export const MOMENTS = [
  "before_action",
  "permission",
  "prompt",
  "question",
  "subagent_start",
  "change",
  "after_action",
  "turn_end",
  "subagent_end",
  "observe",
] as const;
export type Moment = (typeof MOMENTS)[number];

export interface HookAnswers {
  readonly hooks: readonly string[];
  readonly moment: Moment;
  /** What follows when nothing is said: the agent asks a person itself, or goes on. */
  readonly silence: "asks" | "runs";
  /** At a permission hook: the agent shows its own dialog while the hook runs, and whichever is answered first counts. */
  readonly dialog?: "beside";
  /** A yes changes nothing: the agent's own question comes all the same, or never did. What holds for a yes would be in vain. */
  readonly grants?: "nothing";
  /** A behaviour that is not here cannot be said at this hook. */
  readonly replies: Readonly<Partial<Record<Behavior, Reply>>>;
  readonly updatedInput?: UpdatedInput;
  readonly additionalContext?: Addition;
  /** Where a message goes when the reply itself has no place for one. */
  readonly note?: Addition;
  /** Why nobody should register for it who only wants to watch. */
  readonly avoid?: string;
}

/**
 * What the agent is told. In `stdout` and `stderr` a text that is exactly `$message`, `$reason`, `$updated_input`,
 * `$additional_context` or `$hook` stands for that; `$reason` is never empty, a member whose text is not there is left out.
 */
export interface Reply {
  readonly exit?: number;
  readonly stdout?: JsonValue;
  readonly stderr?: string;
  /** What it comes to, where that is not the behaviour itself. */
  readonly as?: Behavior;
  /** Why that is so. */
  readonly why?: string;
  /** Understood only in a run without a person. */
  readonly headless?: true;
  /** Cannot be said without a changed input. */
  readonly needsUpdatedInput?: true;
}

/** Something that is said beside a reply. */
export interface Addition {
  readonly with: readonly Behavior[];
  readonly stdout: JsonValue;
}

interface UpdatedInput extends Addition {
  /** The agent lays it over its own input, so that members cannot be taken away. */
  readonly merges: boolean;
}

export interface CompiledAnswers {
  readonly answers: Answers;
  /** What can be said at a hook, however its name is spelled. */
  readonly answersOf: (hook: string) => HookAnswers | undefined;
}

export function compileAnswers(answers: Answers): CompiledAnswers {
  const exact = new Map(answers.hooks.flatMap((hook) => hook.hooks.map((name) => [name, hook] as const)));
  const spelled = new Map([...exact].map(([name, hook]) => [plainName(name), hook]));
  return { answers, answersOf: (name) => exact.get(name) ?? spelled.get(plainName(name)) };
}
