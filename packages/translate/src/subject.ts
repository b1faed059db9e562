import { isObject, type JsonValue } from "@earshot/protocol/json";
import { firstText } from "./members.ts";

/** What tools call the thing they act on, the most telling first. */
const NAMES = ["command", "cmd", "file_path", "filePath", "notebook_path", "path", "filename", "url", "uri", "query", "pattern"] as const;
/** Words of a command that is a list. */
const MAX_WORDS = 64;

/** What a call acts on, from its input: the command, the path, the address. Undefined where none of its members says so. */
export function subjectOf(input: JsonValue | undefined): string | undefined {
  if (typeof input === "string") return input === "" ? undefined : input;
  if (!isObject(input)) return undefined;
  return firstText(input, ...NAMES) ?? words(input["command"]) ?? words(input["commands"]);
}

function words(value: JsonValue | undefined): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const found = (value as readonly JsonValue[]).slice(0, MAX_WORDS).filter((word) => typeof word === "string");
  return found.length === 0 ? undefined : found.join(" ");
}
