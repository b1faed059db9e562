import type { PolicyMoment } from "@earshot/policy";
import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import type { Submission } from "../ledger/ledger.ts";
import type { RuleResult } from "../policy/rules.ts";
import type { AnswerWordName } from "../requests/answer.ts";
import type { MaskedPlace } from "../requests/answer-fits.ts";
import type { AskedCard, CardField, ResponseKind } from "../requests/card.ts";
import { MAX_TITLE_CHARACTERS } from "../requests/card.ts";
import { isListOfQuestions, readQuestionFields } from "../requests/question-form.ts";
import { memberObject, memberString } from "./hook-event.ts";
import { TRUNCATED_EXTENSION } from "./hook-spool.ts";

/** A person's possible answers at each moment. */
const ANSWERS: Readonly<Record<PolicyMoment, readonly AnswerWordName[]>> = {
  action: ["allow", "deny", "defer", "stop"],
  permission: ["allow", "deny", "stop"],
  prompt: ["allow", "deny", "stop"],
  outcome: ["continue", "block", "stop"],
  stop: ["continue", "block", "stop"],
  "subagent-start": ["allow", "deny", "stop"],
  "subagent-stop": ["continue", "block", "stop"],
  compaction: ["continue", "block", "stop"],
  "session-start": ["continue", "stop"],
  confirmation: ["allow", "deny"],
  question: ["respond", "deny"],
  handoff: ["allow", "deny"],
};

export function possibleAnswersAt(moment: PolicyMoment): readonly AnswerWordName[] {
  return ANSWERS[moment];
}

/** The displayed request of a hook's event, from the stored event with masked secrets and the rules' findings. */
export function toAskedCard(submission: Submission, moment: PolicyMoment, { judged }: Pick<RuleResult, "judged">): AskedCard {
  const { source, session, agent, reading, redactions } = submission;
  const { value, type } = reading;
  const action = memberObject(value, "action");
  const tool = memberString(memberObject(value, "tool")["name"]) ?? memberString(memberObject(value, "skill")["name"]);
  const input = action["input"] ?? (moment === "prompt" || moment === "question" ? value["content"] : undefined);
  const masked = redactions.map(({ pointer }) => pointer).filter((pointer) => pointer.startsWith(INPUT));
  return {
    kind: moment === "question" ? "clarification" : "permission",
    protocol: source.protocol,
    source: source.name,
    session,
    agent,
    title: (tool ?? type).slice(0, MAX_TITLE_CHARACTERS),
    ...(input === undefined ? {} : { input }),
    ...(isCut(value) ? { isCut: true as const } : {}),
    ...(masked.length === 0 ? {} : { masked: masked.map((pointer): MaskedPlace => ({ pointer: pointer.slice(INPUT.length) })) }),
    said: [
      ...(memberString(action["rationale"]) === undefined ? [] : [{ name: "rationale", text: String(action["rationale"]) }]),
      ...(moment === "question" ? parts(value["content"]) : []),
      ...(moment === "question" ? messageOf(action["input"]) : []),
    ],
    ...(moment === "question" ? questionOf(value) : {}),
    risk: judged.risk ?? "unknown",
    irreversible: judged.reversible === false,
    facts: factsOf(value, moment),
  };
}

function isCut(value: JsonObject): boolean {
  return memberObject(value, "extensions")[TRUNCATED_EXTENSION] === true;
}

const INPUT = "/action/input";

/** The question and its answers, also in the form of a single question with choices. */
function questionOf(value: JsonObject): Pick<AskedCard, "fields" | "choices" | "responds"> {
  const { input } = memberObject(value, "action");
  const fields = readQuestionFields(input);
  const [only, second] = fields;
  if (only === undefined) return isObject(input) && input["mode"] === "url" ? { responds: ["yes_no"] } : {};
  if (second !== undefined || isListOfQuestions(input)) return { fields };
  const responds = [...(only.choices === undefined ? [] : ["multiple_choice" as const]), ...RESPONDS[only.kind]];
  return { fields, responds, ...(only.choices === undefined ? {} : { choices: only.choices }) };
}

const RESPONDS = {
  choice: [],
  choices: ["freetext"],
  text: ["freetext"],
  number: ["numeric"],
  confirm: ["yes_no"],
} as const satisfies Record<CardField["kind"], readonly ResponseKind[]>;

/** The unmasked input that an answer may change. */
export function rawInput(raw: JsonObject): JsonValue | undefined {
  return memberObject(raw, "action")["input"] ?? raw["content"];
}

export function actionIdOfEvent(raw: JsonObject): string | undefined {
  return memberString(memberObject(raw, "action")["id"]);
}

const FACTS = ["hook", "tool", "server", "skill", "workspace", "model"] as const;

function factsOf(value: JsonObject, moment: PolicyMoment): JsonObject {
  const facts: Record<string, JsonValue> = { moment };
  for (const name of FACTS) if (value[name] !== undefined) facts[name] = value[name];
  return facts;
}

function parts(content: JsonValue | undefined): readonly { readonly name: string; readonly text: string }[] {
  if (!Array.isArray(content)) return [];
  return content.filter(isObject).flatMap((part) => {
    const said = memberString(part["text"]) ?? memberString(part["value"]);
    return said === undefined ? [] : [{ name: String(part["type"] ?? "question"), text: said }];
  });
}

/** The message of an elicitation. */
function messageOf(input: JsonValue | undefined): AskedCard["said"] {
  const said = isObject(input) ? memberString(input["message"]) : undefined;
  return said === undefined ? [] : [{ name: "message", text: said }];
}
