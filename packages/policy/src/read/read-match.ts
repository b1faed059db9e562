import { isMap, isScalar, type Node } from "yaml";
import { ACCESSES, TOOL_TYPES } from "../asked.ts";
import { MOMENTS, RISKS } from "../behaviour.ts";
import { DANGERS } from "../catalogue/dangers.ts";
import { readCommandPattern } from "../match/command-pattern.ts";
import { PATH_BEGINNINGS } from "../match/path-pattern.ts";
import { re2 } from "../match/re2.ts";
import type { Match, TextPattern } from "../policy.ts";
import { brief, type NodeReader } from "./node-reader.ts";

const KEYS = [
  "moment",
  "agent",
  "session",
  "tool",
  "toolType",
  "server",
  "skill",
  "command",
  "danger",
  "harmless",
  "inspectable",
  "path",
  "access",
  "cwd",
  "risk",
  "reversible",
  "attended",
] as const satisfies readonly (keyof Match)[];

const DANGER_IDS: readonly string[] = ["any", ...DANGERS.map(({ id }) => id)];

/** The criteria of a rule; undefined when one of them is wrong. */
export function readMatch(reader: NodeReader, node: Node, name: string): Match | undefined {
  const members = reader.members(node, name, KEYS);
  if (members === undefined) return undefined;
  let match: Match = {};
  let ok = members.length > 0 || isEmptyMap(node);
  for (const { key, value } of members) {
    const criterion = readCriterion(reader, key as (typeof KEYS)[number], value);
    if (criterion === undefined) ok = false;
    else match = { ...match, ...criterion };
  }
  return ok ? match : undefined;
}

function isEmptyMap(node: Node): boolean {
  return isMap(node) && node.items.length === 0;
}

function readCriterion(reader: NodeReader, key: (typeof KEYS)[number], node: Node): Match | undefined {
  switch (key) {
    case "moment":
      return wrap(
        key,
        reader.list(node, key, (one) => reader.oneOf(one, key, MOMENTS)),
      );
    case "toolType":
      return wrap(
        key,
        reader.list(node, key, (one) => reader.oneOf(one, key, TOOL_TYPES, { custom: "other" })),
      );
    case "access":
      return wrap(
        key,
        reader.list(node, key, (one) => reader.oneOf(one, key, ACCESSES, { edit: "write", remove: "delete" })),
      );
    case "risk":
      return wrap(
        key,
        reader.list(node, key, (one) => reader.oneOf(one, key, RISKS, { critical: "high", normal: "medium" })),
      );
    case "danger":
      return wrap(
        key,
        reader.list(node, key, (one) => reader.oneOf(one, key, DANGER_IDS)),
      );
    case "harmless":
    case "inspectable":
    case "reversible":
    case "attended":
      return wrap(key, reader.boolean(node, key));
    case "command":
      return wrap(
        key,
        reader.list(node, key, (one) => readPattern(reader, one, key, checkCommand)),
      );
    case "path":
    case "cwd":
      return wrap(
        key,
        reader.list(node, key, (one) => readPattern(reader, one, key, checkPath)),
      );
    default:
      return wrap(
        key,
        reader.list(node, key, (one) => readPattern(reader, one, key)),
      );
  }
}

function wrap<Key extends keyof Match>(key: Key, value: Match[Key] | undefined): Match | undefined {
  return value === undefined ? undefined : { [key]: value };
}

type Check = (reader: NodeReader, node: Node, text: string) => boolean;

function readPattern(reader: NodeReader, node: Node, name: string, check?: Check): TextPattern | undefined {
  if (isScalar(node)) {
    const text = reader.text(node, name);
    return text === undefined || check?.(reader, node, text) === false ? undefined : text;
  }
  const [member, ...others] = reader.members(node, `\`${name}\``, ["regex"]) ?? [];
  if (member === undefined || others.length > 0) return undefined;
  const source = reader.text(member.value, "regex");
  if (source === undefined) return undefined;
  try {
    re2(source);
    return { regex: source };
  } catch (error) {
    const message = error instanceof Error ? error.message.replace(/^error parsing regexp: /, "") : "unreadable";
    return reader.refuse(
      member.value,
      `\`regex\` cannot be read: ${brief(message)}.`,
      "Patterns are those of RE2: no look-ahead, look-behind or back-references. In YAML, single quotes keep backslashes.",
    );
  }
}

const checkCommand: Check = (reader, node, text) => {
  const operator = /(?:^|\s)(?:&&|\|\|?|;|&|>>?|<)(?:\s|$)|\$\(|`/.exec(text)?.[0].trim();
  if (operator !== undefined) {
    reader.refuse(
      node,
      `A rule looks at one simple command at a time; \`${operator}\` joins several.`,
      "Write a list with one pattern for each command.",
    );
    return false;
  }
  const [first] = readCommandPattern(text);
  if (first === "<words>") {
    reader.refuse(node, "A command begins with a program.", "`<words>` stands for what follows it.");
    return false;
  }
  return true;
};

const checkPath: Check = (reader, node, text) => {
  if (PATH_BEGINNINGS.some((beginning) => text.startsWith(beginning)) || /^[A-Za-z]:[\\/]/.test(text)) {
    if (text.startsWith("~") && text !== "~" && !text.startsWith("~/")) {
      reader.refuse(node, `\`${brief(text)}\` is somebody else's home folder.`, "Write the whole path.");
      return false;
    }
    if (!text.startsWith("{") || /^\{(?:workspace|earshot|secret)\}(?:\/|$)/.test(text)) return true;
  }
  const hint = "`{workspace}/src/**`, `**/.env` in any folder, `~/notes`, `/etc/**`, `{earshot}/**`, `{secret}`.";
  reader.refuse(node, `A pattern for paths says where it begins; \`${brief(text)}\` does not.`, hint);
  return false;
};
