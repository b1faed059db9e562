import { isObject, type JsonValue } from "@earshot/protocol";

type Path = readonly string[];

/** Where the three protocols name the tool, skill or child that an event is about. */
const ABOUT: readonly Path[] = [
  ["tool", "name"],
  ["tool"],
  ["payload", "tool_name"],
  ["payload", "tool"],
  ["skill", "name"],
  ["payload", "child_agent_id"],
];

/** Where the three protocols say it in words, what says most first. */
const WORDS: readonly Path[] = [
  ["summary_normal"],
  ["summary_terse"],
  ["question"],
  ["action"],
  ["chunk"],
  ["content"],
  ["action", "error", "message"],
  ["action", "input", "command"],
  ["action", "input", "file_path"],
  ["action", "rationale"],
  ["lifecycle", "reason"],
  ["control", "message"],
  ["payload", "content"],
  ["payload", "decision"],
  ["payload", "chosen"],
  ["payload", "goal"],
  ["payload", "reasoning"],
  ["payload", "description"],
  ["payload", "error_message"],
  ["payload", "error"],
  ["payload", "outcome_summary"],
  ["payload", "result_summary"],
  ["payload", "output_summary"],
  ["payload", "summary"],
  ["payload", "current_goal"],
  ["payload", "url"],
  ["payload", "endpoint"],
  ["payload", "key"],
  ["payload", "input", "command"],
  ["payload", "outcome"],
  ["payload", "status"],
  ["progress", "description"],
  ["to_state"],
  ["reason"],
  ["decision", "outcome"],
  ["decision"],
  ["message"],
  ["text"],
];

/** What an event says, in the agent's own words: untrusted text, not yet fit for a terminal. Empty when it says nothing known. */
export function summaryOf(event: JsonValue): string {
  const about = firstText(event, ABOUT);
  const words = firstText(event, WORDS);
  return about !== "" && words !== "" ? `${about}: ${words}` : about + words;
}

function firstText(event: JsonValue, paths: readonly Path[]): string {
  for (const path of paths) {
    const text = textAt(event, path);
    if (text.trim() !== "") return text;
  }
  return "";
}

function textAt(event: JsonValue, path: Path): string {
  let value: JsonValue | undefined = event;
  for (const name of path) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  if (typeof value === "string") return value;
  // AEP: a list of parts, each with its text.
  if (Array.isArray(value)) return value.map((part) => textAt(part, ["text"])).join(" ");
  return "";
}
