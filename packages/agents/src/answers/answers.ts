import type { Behavior } from "@earshot/protocol/aep";
import type { JsonValue } from "@earshot/protocol/json";
import { plainName } from "../mapping/compile-mapping.ts";

/** A parsed answers file: how an agent expects each AEP response, hook by hook. Serializable as JSON. */
export interface AgentAnswers {
  readonly agent: string;
  readonly gate: GateGrade;
  /** The answer that changes nothing, used when Earshot has no opinion or has failed. */
  readonly neutral: HookReply;
  /** Maximum characters the agent accepts in a message and as added context. */
  /** When `ask` reaches a person. Left out: always, as far as is known. */
  readonly asking?: AskSupport;
  readonly limits: { readonly message: number; readonly context: number };
  readonly hooks: readonly HookAnswers[];
}

/** When an answer of `ask` reaches a person. */
export interface AskSupport {
  /** Permission modes in which the agent prompts. In any other mode named by a payload it continues or refuses by itself. */
  readonly modes?: readonly string[];
  /** Environment variable values that mean no person is present. */
  readonly unattended?: Readonly<Record<string, readonly string[]>>;
  /** The agent runs its permission hook for each prompt it shows. A tool that runs without one was not approved in a prompt. */
  readonly reports: boolean;
}

/**
 * How far this agent's gate can be trusted. `obeyed`: the real agent was seen to obey, including when the gate is broken; `drilled`:
 * tested, also broken, with a simulated agent; `untried`: written from the agent's documentation only; `none`: nothing can be held.
 */
export const GATE_GRADES = ["obeyed", "drilled", "untried", "none"] as const;
export type GateGrade = (typeof GATE_GRADES)[number];

/**
 * The moment at which a hook runs, which limits what a behavior can mean. The first six can refuse; the ends and after-tool hooks can send
 * something back; elsewhere the agent only reports. `change` is anything else about to happen, such as a compaction or a new setting.
 */
export const HOOK_MOMENTS = [
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
export type HookMoment = (typeof HOOK_MOMENTS)[number];

export interface HookAnswers {
  readonly hooks: readonly string[];
  readonly moment: HookMoment;
  /** The agent's reaction when the hook gives no answer: ask a person itself, or run the tool. */
  readonly silence: "asks" | "runs";
  /** At a permission hook: the agent shows its own prompt while the hook runs, and the first answer counts. */
  readonly dialog?: "beside";
  /** An allow changes nothing: the agent prompts anyway, or never does. Holding for an allow would be pointless. */
  readonly grants?: "nothing";
  /** A missing behavior cannot be expressed at this hook. */
  readonly replies: Readonly<Partial<Record<Behavior, HookReply>>>;
  readonly updatedInput?: UpdatedInput;
  readonly additionalContext?: ReplyAddition;
  /** Where a message goes when the reply itself has no field for one. */
  readonly note?: ReplyAddition;
  /** Why a hook that only observes should not be registered here. */
  readonly avoid?: string;
}

/**
 * The hook's output. In `stdout` and `stderr`, a text that is exactly `$message`, `$reason`, `$updated_input`, `$additional_context` or
 * `$hook` is a placeholder. `$reason` is never empty; a member whose placeholder has no value is left out.
 */
export interface HookReply {
  readonly exit?: number;
  readonly stdout?: JsonValue;
  readonly stderr?: string;
  /** The behavior this reply amounts to, if different. */
  readonly as?: Behavior;
  /** Why it differs. */
  readonly why?: string;
  /** Only understood in a run without a person. */
  readonly headless?: true;
  /** Requires a changed input. */
  readonly needsUpdatedInput?: true;
}

/** An addition to a reply. */
export interface ReplyAddition {
  readonly with: readonly Behavior[];
  readonly stdout: JsonValue;
}

interface UpdatedInput extends ReplyAddition {
  /** The agent merges this into its own input, so members cannot be removed. */
  readonly merges: boolean;
}

export interface CompiledAnswers {
  readonly answers: AgentAnswers;
  /** The answers of a hook, however its name is spelled. */
  readonly answersOf: (hook: string) => HookAnswers | undefined;
}

export function compileAnswers(answers: AgentAnswers): CompiledAnswers {
  const exact = new Map(answers.hooks.flatMap((hook) => hook.hooks.map((name) => [name, hook] as const)));
  const spelled = new Map([...exact].map(([name, hook]) => [plainName(name), hook]));
  return { answers, answersOf: (name) => exact.get(name) ?? spelled.get(plainName(name)) };
}
