import { type Confirmation, type Decision, effectiveRisk, mayDefaultTo, type QuestionEnding, type Risk } from "@earshot/aaep/speaking";
import { EarshotError } from "@earshot/protocol/problem";
import { ownOptions } from "../plain/own.ts";
import { summariseArgs } from "./args-summary.ts";
import { MAX_TEXT_CHARACTERS, toCleanTextOr, toSummaryMembers } from "./clean-text.ts";
import { toContext, toOneOf, toToolName, toWhole } from "./facts.ts";
import { type Cover, toCanonicalText } from "./permit.ts";
import type { QuestionQueue } from "./question-queue.ts";
import type { SessionCore } from "./session-core.ts";
import type { Confirmed, ConfirmOptions } from "./session-options.ts";

const RISKS = ["low", "medium", "high"] as const;
const DAY_SECONDS = 86_400;
/** As the protocol recommends: the harder to undo, the longer. */
const SECONDS: Readonly<Record<"irreversible" | "reversible", Readonly<Record<Risk, number>>>> = {
  irreversible: { high: 300, medium: 120, low: 120 },
  reversible: { high: 180, medium: 90, low: 60 },
};

export async function askConfirmation(core: SessionCore, asking: QuestionQueue, options: ConfirmOptions): Promise<Confirmed> {
  const asked = readConfirmation(ownOptions(options));
  const { payload, accepted, covers, irreversible, risk, defaultDecision, takesChanges, timeoutSeconds } = asked;
  const callId = core.ports.newId("call");
  const token = core.ports.newId("rpl");
  const put = () => {
    const context = { ...payload.extra_context, ...(accepted.tool === undefined ? {} : { tool: accepted.tool }), tool_call_id: callId };
    const event = { ...payload, extra_context: context, reply_token: token };
    const written = core.emit("awaiting.confirmation", event, { urgency: "critical" });
    if (written === undefined) throw sessionEndedError();
    const timing = { token, session: core.sessionId, askedMs: written.ms, timeoutMs: timeoutSeconds * 1000 };
    const question: Confirmation = { kind: "confirmation", ...timing, irreversible, risk, defaultDecision, takesChanges };
    return { question, written };
  };
  const grant = (changed: boolean) => core.permits.grant(covers, callId, changed ? { ...accepted, args: undefined } : accepted);
  return asking.ask(put, (ending) => toConfirmed(ending, grant));
}

export function sessionEndedError(): EarshotError {
  return new EarshotError({ code: "SESSION_ENDED", message: "The session has ended." });
}

function readConfirmation(options: Partial<ConfirmOptions>) {
  const irreversible = options.irreversible === true;
  const risk = effectiveRisk(toOneOf(options.risk, RISKS), irreversible);
  const defaultDecision: Decision = options.defaultDecision === "accept" ? "accept" : "reject";
  if (!mayDefaultTo(defaultDecision, { irreversible, risk })) {
    const message = `An action ${irreversible ? "that cannot be undone" : "of high risk"} must not start because nobody answers.`;
    throw new EarshotError({ code: "DEFAULT_UNSAFE", message, rule: "aaep/default-decision-safe" });
  }
  const timeoutSeconds = toWhole(options.timeoutSeconds, 1, DAY_SECONDS) ?? SECONDS[irreversible ? "irreversible" : "reversible"][risk];
  const action = toCleanTextOr(options.action, "Go on?");
  const consequence = toCleanTextOr(options.consequence, "Consequence was not said.");
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
      args: options.args === undefined ? undefined : toCanonicalText(options.args),
    },
    payload: {
      action,
      consequence,
      ...toSummaryMembers(options.summary, brief(action, consequence)),
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
  return toCleanTextOr(`${action} ${consequence}`, action, MAX_TEXT_CHARACTERS.text);
}

function toConfirmed(ending: QuestionEnding, grant: (changed: boolean) => Extract<Confirmed, { accepted: true }>["permit"]): Confirmed {
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
