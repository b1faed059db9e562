/** The eight answers a hook can be given. What an agent cannot express is degraded by whoever renders it, never here. */
export const BEHAVIOURS = ["allow", "deny", "ask", "defer", "block", "continue", "stop", "abstain"] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

/** When something is put to the policy: what an agent lets one hold, and what waits for an answer in another protocol. */
export const MOMENTS = [
  "action",
  "permission",
  "prompt",
  "outcome",
  "stop",
  "subagent-start",
  "subagent-stop",
  "compaction",
  "session-start",
  "confirmation",
  "question",
  "handoff",
] as const;
export type Moment = (typeof MOMENTS)[number];

/** The answers that have a place at a moment. A rule whose answer has none there is passed over. */
export const ANSWERS_AT: Readonly<Record<Moment, readonly Behaviour[]>> = {
  /** Before a tool runs, a skill is used. */
  action: ["allow", "deny", "ask", "defer", "stop", "abstain"],
  /** The agent itself wants to ask. */
  permission: ["allow", "deny", "ask", "stop", "abstain"],
  prompt: ["allow", "deny", "ask", "continue", "stop", "abstain"],
  /** After a tool ran. */
  outcome: ["block", "continue", "stop", "abstain"],
  /** The agent is about to end its turn; `block` makes it take another. */
  stop: ["ask", "block", "continue", "stop", "abstain"],
  "subagent-start": ["allow", "deny", "ask", "continue", "stop", "abstain"],
  "subagent-stop": ["ask", "block", "continue", "stop", "abstain"],
  compaction: ["block", "continue", "stop", "abstain"],
  "session-start": ["continue", "stop", "abstain"],
  /** AAEP: yes or no. */
  confirmation: ["allow", "deny", "ask", "abstain"],
  /** An open question to the person: nobody but a person can answer it. */
  question: ["deny", "ask", "abstain"],
  handoff: ["deny", "ask", "abstain"],
};

/**
 * Answers that let something through which a later rule, or the agent, might have held. A rule with such an answer is read
 * narrowly (it must fit every part of what is asked), all others are read broadly (one part is enough).
 */
export const PERMISSIVE: ReadonlySet<Behaviour> = new Set<Behaviour>(["allow", "continue", "abstain"]);

/** What is answered when nobody does, or when the hub cannot be reached: `ask` is the agent's own prompt. */
export const FALLBACKS = ["ask", "deny", "allow"] as const;
export type Fallback = (typeof FALLBACKS)[number];

/** Whether an `ask` waits for a person at all. */
export const HOLDS = ["when-someone-listens", "always", "never"] as const;
export type Hold = (typeof HOLDS)[number];

export const RISKS = ["low", "medium", "high"] as const;
export type Risk = (typeof RISKS)[number];
