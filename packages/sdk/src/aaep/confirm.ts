import { type Confirmation, type Decision, type Ending, mayDefaultTo, type Risk, riskOf } from "@earshot/aaep/speaking";
import { EarshotError } from "@earshot/protocol/problem";
import { own } from "../plain/own.ts";
import { summariseArgs } from "./args-summary.ts";
import type { Asking } from "./asking.ts";
import { toContext, toOneOf, toToolName, toWhole } from "./facts.ts";
import { type Cover, inOneForm } from "./permit.ts";
import type { SessionCore } from "./session-core.ts";
import type { Confirmed, ConfirmOptions } from "./session-options.ts";
import { MAX_CHARACTERS, toSummaries, toWordsOr } from "./words.ts";

const RISKS = ["low", "medium", "high"] as const;
const DAY_SECONDS = 86_400;
/** As the protocol recommends: the harder to undo, the longer. */
const SECONDS: Readonly<Record<"irreversible" | "reversible", Readonly<Record<Risk, number>>>> = {
  irreversible: { high: 300, medium: 120, low: 120 },
  reversible: { high: 180, medium: 90, low: 60 },
};

export async function confirm(core: SessionCore, asking: Asking, options: ConfirmOptions): Promise<Confirmed> {
  const asked = readConfirmation(own(options));
  const { payload, accepted, covers, irreversible, risk, defaultDecision, takesChanges, timeoutSeconds } = asked;
  const callId = core.ports.newId("call");
  const token = core.ports.newId("rpl");
  const put = () => {
    const context = { ...payload.extra_context, ...(accepted.tool === undefined ? {} : { tool: accepted.tool }), tool_call_id: callId };
    const event = { ...payload, extra_context: context, reply_token: token };
    const written = core.tell("awaiting.confirmation", event, { urgency: "critical" });
    if (written === undefined) throw ended();
    const timing = { token, session: core.sessionId, askedMs: written.ms, timeoutMs: timeoutSeconds * 1000 };
    const question: Confirmation = { kind: "confirmation", ...timing, irreversible, risk, defaultDecision, takesChanges };
    return { question, written };
  };
  const grant = (changed: boolean) => core.permits.grant(covers, callId, changed ? { ...accepted, args: undefined } : accepted);
  return asking.ask(put, (ending) => toConfirmed(ending, grant));
}

export function ended(): EarshotError {
  return new EarshotError({ code: "SESSION_ENDED", message: "The session has ended." });
}

function readConfirmation(options: Partial<ConfirmOptions>) {
  const irreversible = options.irreversible === true;
  const risk = riskOf(toOneOf(options.risk, RISKS), irreversible);
  const defaultDecision: Decision = options.defaultDecision === "accept" ? "accept" : "reject";
  if (!mayDefaultTo(defaultDecision, { irreversible, risk })) {
    const message = `An action ${irreversible ? "that cannot be undone" : "of high risk"} must not start because nobody answers.`;
    throw new EarshotError({ code: "DEFAULT_UNSAFE", message, rule: "aaep/default-decision-safe" });
  }
  const timeoutSeconds = toWhole(options.timeoutSeconds, 1, DAY_SECONDS) ?? SECONDS[irreversible ? "irreversible" : "reversible"][risk];
  const action = toWordsOr(options.action, "Go on?");
  const consequence = toWordsOr(options.consequence, "Consequence was not said.");
  const withEffort = "withEffort" in options && options.withEffort === true;
  const args = options.args === undefined ? undefined : summariseArgs(options.args);
  return {
    irreversible,
    risk,
    defaultDecision,
    timeoutSeconds,
    takesChanges: options.takesChanges === true,
    covers: (irreversible ? "irreversible" : risk === "high" ? "high" : "ordinary") as Cover,
    accepted: {
      action,
      tool: options.tool === undefined ? undefined : toToolName(options.tool),
      args: options.args === undefined ? undefined : inOneForm(options.args),
    },
    payload: {
      action,
      consequence,
      ...toSummaries(options.summary, brief(action, consequence)),
      timeout_seconds: timeoutSeconds,
      default_decision: defaultDecision,
      risk_level: risk,
      irreversible,
      reversibility: irreversible ? "irreversible" : withEffort ? "reversible_with_effort" : "reversible",
      allowed_replies: ["accept", "reject"],
      extra_context: { ...toContext(options.context), ...(args === undefined ? {} : { args_summary: args }) },
    },
  };
}

function brief(action: string, consequence: string): string {
  return toWordsOr(`${action} ${consequence}`, action, MAX_CHARACTERS.text);
}

function toConfirmed(ending: Ending, grant: (changed: boolean) => Extract<Confirmed, { accepted: true }>["permit"]): Confirmed {
  switch (ending.how) {
    case "accepted": {
      const { how: _how, ...said } = ending;
      return { accepted: true, permit: grant(said.changes !== undefined), ...said };
    }
    case "rejected": {
      const { how: _how, ...said } = ending;
      return { accepted: false, why: "rejected", ...said };
    }
    case "defaulted":
      return ending.decision === "accept" ? { accepted: true, permit: grant(false) } : { accepted: false, why: ending.why };
    default:
      return { accepted: false, why: "withdrawn" };
  }
}
