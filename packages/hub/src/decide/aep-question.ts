import { readToolInput } from "@earshot/policy";
import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import type { Submission } from "../ledger/ledger.ts";
import type { Word } from "./answer.ts";
import type { Asked, Field, ResponseKind } from "./card.ts";
import type { MaskedPlace } from "./edit.ts";
import { LONGEST_TITLE } from "./limits.ts";
import { isListOfQuestions, readFields } from "./question-form.ts";
import type { Moment, PutToRules, Ruling } from "./rules-port.ts";

/** What a hook's event is about: the moment it speaks of, and what the rules see of it. */
export interface HookEvent {
  readonly moment: Moment;
  readonly put: PutToRules;
}

const MOMENTS: Readonly<Record<string, Moment>> = {
  "action.requested": "action",
  "prompt.submitted": "prompt",
  "action.completed": "outcome",
  "action.failed": "outcome",
  "agent.stop": "stop",
  "subagent.start": "subagent-start",
  "subagent.stop": "subagent-stop",
  "context.compacted": "compaction",
  "session.start": "session-start",
  "question.asked": "question",
};

/** What a person may answer at each moment, beside saying nothing. */
const ANSWERS: Readonly<Record<Moment, readonly Word[]>> = {
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

export function answersAt(moment: Moment): readonly Word[] {
  return ANSWERS[moment];
}

/** What of an AEP event is put to the rules; undefined for what no hook waits on. `raw` is as it was said, secrets and all. */
export function readHookEvent(
  type: string,
  raw: JsonObject,
  options: { readonly asksItself: boolean; readonly attended: boolean },
): HookEvent | undefined {
  const known = MOMENTS[type];
  if (known === undefined) return undefined;
  const moment = known !== "action" ? known : asksOnly(raw) ? "question" : options.asksItself ? "permission" : known;
  const [agent, session, tool, server, skill, workspace, action] = [
    "agent",
    "session",
    "tool",
    "server",
    "skill",
    "workspace",
    "action",
  ].map((name) => objectAt(raw, name)) as [JsonObject, JsonObject, JsonObject, JsonObject, JsonObject, JsonObject, JsonObject];
  const input = action["input"];
  const roots = workspace["roots"];
  const cwd = text(workspace["cwd"]);
  const put = {
    ...readToolInput(text(tool["name"]) ?? "", input, cwd),
    moment,
    agent: text(agent["slug"]),
    session: text(session["id"]),
    tool: text(tool["name"]),
    toolType: toolType(tool["type"]),
    server: text(server["name"]) ?? text(server["id"]),
    skill: text(skill["name"]),
    cwd,
    roots: Array.isArray(roots) ? roots.filter((one): one is string => typeof one === "string") : undefined,
    attended: options.attended,
    input,
    said: text(action["rationale"]),
  };
  return { moment, put: Object.fromEntries(Object.entries(put).filter(([, value]) => value !== undefined)) as unknown as PutToRules };
}

/** What is shown of a hook's event: made from what is stored, where secrets are masked, and from what the rules found. */
export function toAsked(submission: Submission, moment: Moment, { judged }: Ruling): Asked {
  const { source, session, agent, reading, redactions } = submission;
  const { value, type } = reading;
  const action = objectAt(value, "action");
  const tool = text(objectAt(value, "tool")["name"]) ?? text(objectAt(value, "skill")["name"]);
  const input = action["input"] ?? (moment === "prompt" || moment === "question" ? value["content"] : undefined);
  const masked = redactions.map(({ pointer }) => pointer).filter((pointer) => pointer.startsWith(INPUT));
  return {
    kind: moment === "question" ? "clarification" : "permission",
    protocol: source.protocol,
    source: source.name,
    session,
    agent,
    title: (tool ?? type).slice(0, LONGEST_TITLE),
    ...(input === undefined ? {} : { input }),
    ...(masked.length === 0 ? {} : { masked: masked.map((pointer): MaskedPlace => ({ pointer: pointer.slice(INPUT.length) })) }),
    said: [
      ...(text(action["rationale"]) === undefined ? [] : [{ name: "rationale", text: String(action["rationale"]) }]),
      ...(moment === "question" ? parts(value["content"]) : []),
      ...(moment === "question" ? messageOf(action["input"]) : []),
    ],
    ...(moment === "question" ? questionOf(value) : {}),
    risk: judged.risk ?? "unknown",
    irreversible: judged.reversible === false,
    facts: factsOf(value, moment),
  };
}

const INPUT = "/action/input";

/** A tool of coding agents that does nothing but ask: what it takes is an answer, not a permission. */
function asksOnly(value: JsonObject): boolean {
  return isListOfQuestions(objectAt(value, "action")["input"]) && /ask|question/i.test(text(objectAt(value, "tool")["name"]) ?? "");
}

/** What is asked, and what may be answered; also for those who know one question with choices and nothing else. */
function questionOf(value: JsonObject): Pick<Asked, "fields" | "choices" | "responds"> {
  const { input } = objectAt(value, "action");
  const fields = readFields(input);
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
} as const satisfies Record<Field["kind"], readonly ResponseKind[]>;

/** The input that an answer may change, raw. */
export function rawInput(raw: JsonObject): JsonValue | undefined {
  return objectAt(raw, "action")["input"] ?? raw["content"];
}

export function actionIdOf(raw: JsonObject): string | undefined {
  return text(objectAt(raw, "action")["id"]);
}

function factsOf(value: JsonObject, moment: Moment): JsonObject {
  const names = ["hook", "tool", "server", "skill", "workspace", "model"] as const;
  return { moment, ...Object.fromEntries(names.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]]))) };
}

function parts(content: JsonValue | undefined): readonly { readonly name: string; readonly text: string }[] {
  if (!Array.isArray(content)) return [];
  return content.filter(isObject).flatMap((part) => {
    const said = text(part["text"]) ?? text(part["value"]);
    return said === undefined ? [] : [{ name: String(part["type"] ?? "question"), text: said }];
  });
}

/** What an elicitation says it is about. */
function messageOf(input: JsonValue | undefined): Asked["said"] {
  const said = isObject(input) ? text(input["message"]) : undefined;
  return said === undefined ? [] : [{ name: "message", text: said }];
}

const TYPES = ["native", "mcp", "connector", "extension", "other"] as const;

function toolType(value: JsonValue | undefined): PutToRules["toolType"] {
  return TYPES.find((type) => type === value);
}

function objectAt(value: JsonObject, name: string): JsonObject {
  const found = value[name];
  return isObject(found) ? found : {};
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
