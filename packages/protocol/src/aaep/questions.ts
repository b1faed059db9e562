import { isObject, type JsonObject } from "../json.ts";
import { defineRule } from "../rule.ts";
import { quoteJsonValue } from "../schema.ts";
import { accept, asked, both, choices, confirm, full, swap } from "./example-events.ts";
import { addNote } from "./notes.ts";

export const QUESTIONS_RULES = {
  "aaep/awaiting-confirmation-payload": defineRule(["error", "event", 2, "§4.4.1", ["agent.awaiting.confirmation"]], {
    title: "`awaiting.confirmation` says the action, its consequence, a reply token, a timeout and a default.",
    hint: "timeout_seconds is 1 to 86400; default_decision is accept or reject.",
    examples: () => both(full(...accept), full(...swap(accept, 2, confirm("rpl_1", { timeout_seconds: 0 })))),
  }),
  "aaep/awaiting-clarification-payload": defineRule(["error", "event", 2, "§4.4.2", ["agent.awaiting.clarification"]], {
    title: "`awaiting.clarification` has a question, a reply token and a timeout.",
    hint: "Response kinds are freetext, yes_no, multiple_choice and numeric; choices are 2 to 32 pairs of value and label.",
    examples: () => both(full(...asked()), full(...asked({ accepted_response_kinds: ["text"] }))),
  }),
  "aaep/confirmation-is-critical": defineRule(["error", "event", 2, "§4.4.1", ["agent.awaiting.confirmation"]], {
    title: '`awaiting.confirmation` has urgency "critical".',
    hint: 'Add "urgency":"critical": absent means normal, and a subscriber may then drop it.',
    examples: () => both(full(...accept), full(...swap(accept, 2, confirm("rpl_1", { urgency: "normal" })))),
  }),
  "aaep/clarification-is-critical": defineRule(["error", "event", 2, "§4.4.2", ["agent.awaiting.clarification"]], {
    title: '`awaiting.clarification` has urgency "critical".',
    hint: 'Add "urgency":"critical": absent means normal, and a subscriber may then drop it.',
    examples: () => both(full(...asked()), full(...asked({ urgency: undefined }))),
  }),
  "aaep/default-decision-safe": defineRule(["error", "event", 2, "§4.4.1, §6.4.1", ["agent.awaiting.confirmation"]], {
    title: "Silence never starts an irreversible action of medium, high or unstated risk.",
    hint: 'Set "default_decision":"reject".',
    examples: () => both(full(...accept), full(...swap(accept, 2, confirm("rpl_1", { default_decision: "accept", risk_level: "medium" })))),
  }),
  "aaep/default-decision-advised": defineRule(["warning", "event", 2, "§6.4.1", ["agent.awaiting.confirmation"]], {
    title: "An irreversible action of low risk and a reversible one of high risk should default to reject.",
    hint: 'Set "default_decision":"reject".',
    examples: () => both(full(...accept), full(...swap(accept, 2, confirm("rpl_1", { default_decision: "accept", risk_level: "low" })))),
  }),
  "aaep/reversibility-consistent": defineRule(["warning", "event", 2, "§4.4.1, §6.4.1", ["agent.awaiting.confirmation/reversibility"]], {
    title: "`irreversible` and `reversibility` say the same.",
    hint: "Send both with one meaning: readers take either, and the stricter one counts.",
    examples: () =>
      both(
        full(...swap(accept, 2, confirm("rpl_1", { reversibility: "irreversible" }))),
        full(...swap(accept, 2, confirm("rpl_1", { reversibility: "reversible" }))),
      ),
  }),
  "aaep/choices-needed": defineRule(["error", "event", 2, "§4.4.2", ["agent.awaiting.clarification/accepted_response_kinds"]], {
    title: "A multiple-choice question lists its choices.",
    hint: "Add `choices`, or drop multiple_choice.",
    examples: () =>
      both(
        full(
          ...asked(
            {
              accepted_response_kinds: ["multiple_choice"],
              choices: choices("eu", "us"),
            },
            "eu",
          ),
        ),
        full(...asked({ accepted_response_kinds: ["freetext", "multiple_choice"] }, "eu")),
      ),
  }),
  "aaep/choices-distinct": defineRule(["error", "event", 2, "§4.4.2, §6.3", ["agent.awaiting.clarification/choices"]], {
    title: "Each choice has a value of its own.",
    hint: "A reply repeats the value only: give every choice another one.",
    examples: () =>
      both(
        full(...asked({ accepted_response_kinds: ["multiple_choice"], choices: choices("eu", "us") }, "eu")),
        full(...asked({ accepted_response_kinds: ["multiple_choice"], choices: choices("eu", "eu") }, "eu")),
      ),
  }),
  "aaep/default-allowed": defineRule(
    [
      "warning",
      "event",
      2,
      "§4.4.1, §4.4.2, §6.4",
      ["agent.awaiting.confirmation/allowed_replies", "agent.awaiting.clarification/default_response"],
    ],
    {
      title: "The default is an answer that a person could give.",
      hint: "Choose the default from allowed_replies, or a default_response that fits an accepted kind and choice.",
      examples: () =>
        both(
          full(...asked({ accepted_response_kinds: ["numeric"], default_response: "3" }, 3)),
          full(...asked({ accepted_response_kinds: ["numeric"], default_response: "three" }, 3)),
        ),
    },
  ),
} as const;

/** Checks that silence starts nothing irreversible and that the default is an answer the user could give. */
export function checkDefault(value: JsonObject): void {
  const { irreversible, reversibility, risk_level: risk } = value;
  if ((irreversible === true && reversibility === "reversible") || (irreversible === false && reversibility === "irreversible")) {
    addNote(
      "aaep/reversibility-consistent",
      `irreversible is ${irreversible}, and reversibility is ${quoteJsonValue(reversibility)}.`,
      "/reversibility",
    );
  }
  const { default_decision: decision, allowed_replies: allowed } = value;
  if (typeof decision === "string" && Array.isArray(allowed) && !allowed.includes(decision)) {
    addNote("aaep/default-allowed", `The default ${quoteJsonValue(decision)} is not among the allowed replies.`, "/default_decision");
  }
  if (decision !== "accept") return;
  const final = irreversible === true || reversibility === "irreversible";
  if (final && risk !== "low") {
    const stated = risk === undefined ? "unstated" : quoteJsonValue(risk);
    addNote("aaep/default-decision-safe", `An irreversible action of ${stated} risk defaults to accept.`, "/default_decision");
  } else if (final || risk === "high") {
    addNote(
      "aaep/default-decision-advised",
      `${final ? "An irreversible action of low risk" : "An action of high risk"} defaults to accept.`,
      "/default_decision",
    );
  }
}

export function checkChoices(value: JsonObject): void {
  const { accepted_response_kinds: kinds, choices, default_response: standard } = value;
  const isMultipleChoice = Array.isArray(kinds) && kinds.includes("multiple_choice");
  if (isMultipleChoice && choices === undefined) {
    addNote("aaep/choices-needed", "multiple_choice is accepted, and there are no choices.", "/choices");
  }
  const values = Array.isArray(choices) ? choices.map((choice) => (isObject(choice) ? choice["value"] : undefined)) : [];
  const twice = values.findIndex((one, index) => one !== undefined && values.indexOf(one) < index);
  if (twice >= 0) {
    addNote("aaep/choices-distinct", `The value ${quoteJsonValue(values[twice])} stands for two choices.`, `/choices/${twice}/value`);
  }
  if (typeof standard === "string" && Array.isArray(kinds) && !kinds.some((kind) => isAnswerOfKind(kind, standard, values))) {
    addNote(
      "aaep/default-allowed",
      `The default response ${quoteJsonValue(standard)} fits none of the accepted kinds.`,
      "/default_response",
    );
  }
}

/** Whether the text of a default response stands for a value of this kind. A default response is always text. */
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
