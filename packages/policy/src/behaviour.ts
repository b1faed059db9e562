/** The eight answers to a hook. An answer that an agent cannot express is degraded when it is rendered, never here. */
export const BEHAVIOURS = ["allow", "deny", "ask", "defer", "block", "continue", "stop", "abstain"] as const;
export type HookBehaviour = (typeof BEHAVIOURS)[number];

/**
 * Moments at which the policy is evaluated, with the answers that are possible at each; a rule whose answer is not possible is skipped.
 * `action`: before a tool runs or a skill is used. `permission`: the agent itself wants to ask. `outcome`: after a tool ran. `stop`: the
 * agent is about to end its turn; `block` makes it take another. `confirmation`: a yes-or-no question of AAEP. `question`: an open
 * question to the user.
 */
const MOMENT_ANSWERS = {
  action: ["allow", "deny", "ask", "defer", "stop", "abstain"],
  permission: ["allow", "deny", "ask", "stop", "abstain"],
  prompt: ["allow", "deny", "ask", "continue", "stop", "abstain"],
  outcome: ["block", "continue", "stop", "abstain"],
  stop: ["ask", "block", "continue", "stop", "abstain"],
  "subagent-start": ["allow", "deny", "ask", "continue", "stop", "abstain"],
  "subagent-stop": ["ask", "block", "continue", "stop", "abstain"],
  compaction: ["block", "continue", "stop", "abstain"],
  "session-start": ["continue", "stop", "abstain"],
  confirmation: ["allow", "deny", "ask", "abstain"],
  question: ["deny", "ask", "abstain"],
  handoff: ["deny", "ask", "abstain"],
} as const satisfies Readonly<Record<string, readonly HookBehaviour[]>>;
export type PolicyMoment = keyof typeof MOMENT_ANSWERS;
export const POLICY_MOMENTS = Object.keys(MOMENT_ANSWERS) as readonly PolicyMoment[];
export const ANSWERS_AT: Readonly<Record<PolicyMoment, readonly HookBehaviour[]>> = MOMENT_ANSWERS;

/**
 * Permissive answers: they let something through that a later rule, or the agent, might have held. A rule with such an answer is read
 * narrowly (it must fit every part of the request); all others are read broadly (one part is enough).
 */
export const PERMISSIVE_BEHAVIOURS: ReadonlySet<HookBehaviour> = new Set<HookBehaviour>(["allow", "continue", "abstain"]);

/** The answers used if nobody answers or the hub is unreachable; `ask` is the agent's own prompt. */
export const FALLBACKS = ["ask", "deny", "allow"] as const;
export type Fallback = (typeof FALLBACKS)[number];
export const STRICTEST_FALLBACKS: readonly Fallback[] = ["deny", "ask", "allow"];

/** Whether an `ask` waits for an approver at all. */
export const HOLDS = ["when-someone-listens", "always", "never"] as const;
export type HoldPolicy = (typeof HOLDS)[number];

export const RISKS = ["low", "medium", "high"] as const;
export type PolicyRisk = (typeof RISKS)[number];
