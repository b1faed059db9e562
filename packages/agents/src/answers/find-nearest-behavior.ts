import type { Behavior } from "@earshot/protocol/aep";
import type { HookAnswers, HookMoment, HookReply } from "./answers.ts";

/** A behavior that this agent cannot express at this hook. */
export interface BehaviorLoss {
  readonly what: "behavior" | "message" | "updated_input" | "additional_context";
  readonly why: string;
}

export interface NearestBehavior {
  /** The behavior the agent ends up with. */
  readonly behavior: Behavior;
  /** The behavior whose reply is given. */
  readonly said: Behavior;
  /** Undefined: the agent's neutral answer. */
  readonly reply: HookReply | undefined;
  readonly losses: readonly BehaviorLoss[];
}

interface Circumstances {
  readonly headless: boolean;
  /** True when the agent's own prompt would reach a person. */
  readonly asks: boolean;
  readonly hasUpdatedInput: boolean;
}

const REFUSABLE: ReadonlySet<HookMoment> = new Set(["before_action", "permission", "prompt", "question", "subagent_start", "change"]);
const ENDS: ReadonlySet<HookMoment> = new Set(["turn_end", "subagent_end"]);

/**
 * The nearest behavior this hook can express. A step never permits more: a refusal stays a refusal or becomes an error, and a question
 * becomes the agent's own prompt or a refusal.
 */
export function findNearestBehavior(wanted: Behavior, hook: HookAnswers, circumstances: Circumstances): NearestBehavior {
  const losses: BehaviorLoss[] = [];
  let behavior = wanted;
  // Each step reaches another of the eight behaviors, so eight steps suffice.
  for (let steps = 0; steps < 8; steps++) {
    const reply = hook.replies[behavior];
    if (reply !== undefined && fits(reply, circumstances) && (circumstances.asks || (reply.as ?? behavior) !== "ask")) {
      if (reply.as === undefined) return { behavior, said: behavior, reply, losses };
      return { behavior: reply.as, said: behavior, reply, losses: [...losses, { what: "behavior", why: reply.why ?? "" }] };
    }
    if (behavior === "abstain") break;
    const { to, why } = stepDown(behavior, hook, circumstances.asks);
    if (why !== undefined) losses.push({ what: "behavior", why });
    behavior = to;
  }
  return { behavior: "abstain", said: "abstain", reply: undefined, losses };
}

function fits({ headless, needsUpdatedInput }: HookReply, circumstances: Circumstances): boolean {
  return (headless !== true || circumstances.headless) && (needsUpdatedInput !== true || circumstances.hasUpdatedInput);
}

interface Step {
  readonly to: Behavior;
  /** Left out when nothing is lost, for example when letting a prompt pass needs no output. */
  readonly why?: string;
}

function stepDown(behavior: Behavior, { moment, silence, replies }: HookAnswers, asks: boolean): Step {
  const isAction = moment === "before_action" || moment === "permission";
  switch (behavior) {
    case "allow":
      return { to: "abstain", ...(isAction ? { why: "The agent cannot be told to go ahead: its own rules still decide." } : {}) };
    case "continue":
      return { to: "abstain", ...(isAction ? { why: "To continue grants nothing here: the agent's own rules decide." } : {}) };
    case "defer":
      return { to: "ask", why: "The agent cannot pause here." };
    case "ask":
      if (!REFUSABLE.has(moment)) return { to: "abstain", why: "There is nothing to be asked about at this hook." };
      if (!asks) return { to: "deny", why: "The agent would ask nobody here, and go on." };
      if (silence === "asks") return { to: "abstain", why: "The agent is not told to ask: silence leads to its own confirmation." };
      return { to: "deny", why: "The agent cannot ask here, and would go on." };
    case "block":
      if (REFUSABLE.has(moment)) return { to: "deny" };
      return { to: "abstain", why: "Nothing can be sent back at this hook." };
    case "stop":
      if (REFUSABLE.has(moment) && replies.deny !== undefined) return { to: "deny", why: "The run cannot be ended here." };
      if (moment === "after_action" && replies.block !== undefined) return { to: "block", why: "The run cannot be ended here." };
      return { to: "abstain", why: ENDS.has(moment) ? "The turn ends here; the run cannot be ended." : "The run cannot be ended here." };
    case "deny":
      if (!REFUSABLE.has(moment)) return { to: "block" };
      if (replies.stop !== undefined) return { to: "stop", why: "The agent knows no refusal here, only an end." };
      return { to: "abstain", why: "Nothing can be refused at this hook." };
    case "abstain":
      return { to: "abstain" };
  }
}
