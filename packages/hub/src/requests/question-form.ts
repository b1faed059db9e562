import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol/json";
import type { AskedCard, CardChoice, CardField } from "./card.ts";

const MAX_FIELDS = 20;
const MAX_CHOICES = 100;
const MAX_FIELD_CHARACTERS = 2000;

/**
 * The fields of an agent's question, from its arguments: the list of questions of a coding agent's own tool, the schema of an elicitation
 * (MCP), or plain choices. None for other arguments.
 */
export function readQuestionFields(input: JsonValue | undefined): readonly CardField[] {
  if (!isObject(input)) return [];
  if (Array.isArray(input["questions"])) return input["questions"].slice(0, MAX_FIELDS).flatMap(readListed);
  const schema = input["requested_schema"] ?? input["requestedSchema"];
  if (isObject(schema)) return readSchema(schema);
  const choices = readChoices(input["choices"] ?? input["options"]);
  if (choices.length === 0) return [];
  const several = input["multiple"] === true || input["multiSelect"] === true;
  return [{ name: "answer", text: "", kind: several ? "choices" : "choice", choices, isOpen: false, isRequired: true }];
}

/** Whether these are the arguments of a tool that only asks, into which the answers go. */
export function isListOfQuestions(input: JsonValue | undefined): input is JsonObject {
  return isObject(input) && Array.isArray(input["questions"]) && input["questions"].flatMap(readListed).length > 0;
}

/** One listed question, identified by its text. Choices are suggestions there: any other text is an answer as well. */
function readListed(one: JsonValue): readonly CardField[] {
  if (!isObject(one)) return [];
  const { question, options, multiSelect, multiple } = one;
  if (typeof question !== "string" || question === "") return [];
  const choices = readChoices(options);
  const several = multiSelect === true || multiple === true;
  const kind = choices.length === 0 ? "text" : several ? "choices" : "choice";
  return [{ name: question, text: shorten(question), kind, ...(choices.length === 0 ? {} : { choices }), isOpen: true, isRequired: true }];
}

/** Forms are flat: each member is a text, a number, a boolean, or one or several values of a list. */
function readSchema({ properties, required }: JsonObject): readonly CardField[] {
  if (!isObject(properties)) return [];
  const needed: readonly JsonValue[] = Array.isArray(required) ? required : [];
  return Object.entries(properties)
    .slice(0, MAX_FIELDS)
    .flatMap(([name, schema]): readonly CardField[] => {
      if (!isObject(schema)) return [];
      const text = [schema["title"], schema["description"]].filter((part) => typeof part === "string").join(": ");
      return [{ name, text: shorten(text === "" ? name : text), ...kindOf(schema), isOpen: false, isRequired: needed.includes(name) }];
    });
}

function kindOf(schema: JsonObject): Pick<CardField, "kind" | "choices"> {
  const { type, items } = schema;
  if (type === "boolean") return { kind: "confirm" };
  if (type === "number" || type === "integer") return { kind: "number" };
  const listed = readChoices(schema["oneOf"] ?? schema["enum"], schema["enumNames"]);
  if (type === "array" && isObject(items)) {
    const choices = readChoices(items["anyOf"] ?? items["oneOf"] ?? items["enum"]);
    if (choices.length > 0) return { kind: "choices", choices };
  }
  return listed.length > 0 ? { kind: "choice", choices: listed } : { kind: "text" };
}

/** Texts, or objects with a label and possibly a value. */
function readChoices(value: JsonValue | undefined, names?: JsonValue): readonly CardChoice[] {
  if (!Array.isArray(value)) return [];
  const labels: readonly JsonValue[] = Array.isArray(names) ? names : [];
  return value.slice(0, MAX_CHOICES).flatMap((one: JsonValue, index): readonly CardChoice[] => {
    if (typeof one === "string") return [{ value: one, label: textOf(labels[index]) ?? shorten(one) }];
    if (!isObject(one)) return [];
    const { label, title, value: own, const: constant, description } = one;
    const shown = textOf(label) ?? textOf(title) ?? textOf(own) ?? textOf(constant);
    const sent = [own, constant, label].find((part) => typeof part === "string");
    if (shown === undefined || typeof sent !== "string") return [];
    const about = textOf(description);
    return [{ value: sent, label: shown, ...(about === undefined ? {} : { about }) }];
  });
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? shorten(value) : undefined;
}

function shorten(text: string): string {
  return text.slice(0, MAX_FIELD_CHARACTERS);
}

/** `choices` takes several; `text` is anything else. */
export type AnswerKind = CardField["kind"];

/** One field of a question. */
export interface FormQuestion {
  /** Its member in the response; undefined if the response is the answer itself. */
  readonly name: string | undefined;
  /** In the agent's words. */
  readonly text: string;
  readonly kinds: readonly AnswerKind[];
  readonly choices: readonly CardChoice[];
  /** It may be left unanswered. */
  readonly isOptional: boolean;
}

const KINDS = { freetext: "text", yes_no: "confirm", numeric: "number", multiple_choice: "choice" } as const;

/** Questions of a request beyond yes or no: the fields of a form, or one question. None for a permission. */
export function questionsIn({ kind, said, title, choices = [], fields, responds }: AskedCard): readonly FormQuestion[] {
  if (fields !== undefined) {
    return fields.map(({ name, text, kind: one, choices: its = [], isOpen, isRequired }) => ({
      name,
      text: text === "" ? (said.at(-1)?.text ?? name) : text,
      kinds: isOpen && one !== "text" ? [one, "text"] : [one],
      choices: its,
      isOptional: !isRequired,
    }));
  }
  if (kind !== "clarification") return [];
  const asked = said.find(({ name }) => name === "question") ?? said[0];
  const kinds = (responds ?? ["freetext"]).map((one) => KINDS[one]);
  return [{ name: undefined, text: asked?.text ?? title, kinds, choices, isOptional: false }];
}
