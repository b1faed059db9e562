/** When something is worth an alert. Zero turns a kind off. */
export interface AlertThresholds {
  /** `no-new-result`: see `loop.ts`. `aop-collector`: the rule of the official AOP collector, which does not look at results. */
  readonly loopRule: LoopRule;
  /** Calls of one tool with similar input and the same result. */
  readonly loopCalls: number;
  /** How long a call may follow the one before it and still belong to the same loop. */
  readonly loopSeconds: number;
  /** Failed calls and errors in a row. */
  readonly failures: number;
  /** Thoughts of low confidence in a row. */
  readonly lowThoughts: number;
  /** Silence of a working session that has sent heartbeats. */
  readonly stallSeconds: number;
  /** Silence of a working session that never sent one: its calls may take a while. */
  readonly silenceSeconds: number;
  /** How many times as much as is usual in its session a single step costs. */
  readonly spikeFactor: number;
  /** What costs less is never a spike. */
  readonly spikeCents: number;
  /** The same for sessions that tell tokens only. */
  readonly spikeTokens: number;
  /** How long a question waits for its answer. */
  readonly requestSeconds: number;
  /** Whether the first entry is told that breaks a rule of its protocol, for each rule. */
  readonly violations: boolean;
}

export const LOOP_RULES = ["no-new-result", "aop-collector"] as const;
export type LoopRule = (typeof LOOP_RULES)[number];

export const ALERT_THRESHOLDS: AlertThresholds = {
  loopRule: "no-new-result",
  loopCalls: 5,
  loopSeconds: 600,
  failures: 3,
  lowThoughts: 3,
  stallSeconds: 90,
  silenceSeconds: 600,
  spikeFactor: 5,
  spikeCents: 10,
  spikeTokens: 20_000,
  requestSeconds: 120,
  violations: true,
};
