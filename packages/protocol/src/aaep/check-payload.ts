import { isObject, type JsonObject } from "../json.ts";
import { show } from "../schema.ts";
import type { CoreType } from "./names.ts";
import { note } from "./notes.ts";

/** What a payload must be beyond its schema: clauses across fields, and what is only advised. */
export function checkPayload(value: JsonObject, core: CoreType): void {
  switch (core) {
    case "agent.progress.updated": {
      const progress = value["progress"];
      if (!isObject(progress)) return;
      const { step, total_steps: total } = progress;
      if (typeof step === "number" && typeof total === "number" && step > total)
        note("aaep/progress-step-within-total", `Step ${step} of ${total}.`, "/progress/step");
      return;
    }
    case "agent.output.streaming": {
      const { chunk, position, coalesce_hint: hint, complete } = value;
      if (hint === "completion" && complete === false) {
        note("aaep/coalesce-hint-true", 'The hint is "completion", and the output is not complete.', "/coalesce_hint");
      }
      if (typeof chunk === "string" && chunk.charCodeAt(0) >= 0x300 && position !== 0 && /^\p{M}/u.test(chunk)) {
        note("aaep/well-formed-text", "The chunk begins with a combining mark, which belongs to the chunk before.", "/chunk");
      }
      return;
    }
    case "agent.tool.completed":
      if ((value["status"] === "error" || value["status"] === "timeout") && value["error_message"] === undefined) {
        note("aaep/error-message-advised", `The status is ${show(value["status"])}, and nothing says why.`, "/error_message");
      }
      adviseSummary(value);
      return;
    case "agent.awaiting.confirmation":
      checkDefault(value);
      adviseSummary(value);
      return;
    case "agent.awaiting.clarification":
      checkChoices(value);
      adviseSummary(value);
      return;
    case "agent.handoff.requested":
      adviseSummary(value);
      return;
    default:
  }
}

function checkDefault(value: JsonObject): void {
  const { irreversible, reversibility, risk_level: risk } = value;
  if ((irreversible === true && reversibility === "reversible") || (irreversible === false && reversibility === "irreversible")) {
    note(
      "aaep/reversibility-consistent",
      `irreversible is ${irreversible}, and reversibility is ${show(reversibility)}.`,
      "/reversibility",
    );
  }
  const { default_decision: decision, allowed_replies: allowed } = value;
  if (typeof decision === "string" && Array.isArray(allowed) && !allowed.includes(decision)) {
    note("aaep/default-allowed", `The default ${show(decision)} is not among the allowed replies.`, "/default_decision");
  }
  if (decision !== "accept") return;
  const final = irreversible === true || reversibility === "irreversible";
  if (final && risk !== "low") {
    const stated = risk === undefined ? "unstated" : show(risk);
    note("aaep/default-decision-safe", `An irreversible action of ${stated} risk defaults to accept.`, "/default_decision");
  } else if (final || risk === "high") {
    note(
      "aaep/default-decision-advised",
      `${final ? "An irreversible action of low risk" : "An action of high risk"} defaults to accept.`,
      "/default_decision",
    );
  }
}

function checkChoices(value: JsonObject): void {
  const { accepted_response_kinds: kinds, choices, default_response: standard } = value;
  const isMultipleChoice = Array.isArray(kinds) && kinds.includes("multiple_choice");
  if (isMultipleChoice && choices === undefined) {
    note("aaep/choices-needed", "multiple_choice is accepted, and there are no choices.", "/choices");
  }
  const values = Array.isArray(choices) ? choices.map((choice) => (isObject(choice) ? choice["value"] : undefined)) : [];
  const twice = values.findIndex((one, index) => one !== undefined && values.indexOf(one) < index);
  if (twice >= 0) {
    note("aaep/choices-distinct", `The value ${show(values[twice])} stands for two choices.`, `/choices/${twice}/value`);
  }
  if (typeof standard === "string" && Array.isArray(kinds) && !kinds.some((kind) => isAnswerOfKind(kind, standard, values))) {
    note("aaep/default-allowed", `The default response ${show(standard)} fits none of the accepted kinds.`, "/default_response");
  }
}

/** A default response is always text; it stands for a value of its kind. */
function isAnswerOfKind(kind: unknown, standard: string, values: readonly unknown[]): boolean {
  switch (kind) {
    case "multiple_choice":
      return values.length === 0 || values.includes(standard);
    case "numeric":
      return standard.trim() !== "" && Number.isFinite(Number(standard));
    case "yes_no":
      return /^(?:true|false|yes|no)$/i.test(standard.trim());
    default:
      return true;
  }
}

function adviseSummary(value: JsonObject): void {
  if (value["summary_normal"] === undefined) note("aaep/summary-advised", "The event has no summary_normal.", "/summary_normal");
}
