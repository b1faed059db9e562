import { isMap, isScalar, type Node } from "yaml";
import { ACCESSES, TOOL_TYPES } from "../asked.ts";
import { POLICY_MOMENTS, RISKS } from "../behaviour.ts";
import { DANGERS } from "../catalogue/dangers.ts";
import { compileRe2 } from "../compile-with-re2.ts";
import { tokenizeCommandPattern } from "../match/command-pattern.ts";
import { PATH_BEGINNINGS } from "../match/path-pattern.ts";
import type { RuleMatch, TextPattern } from "../policy.ts";
import { type NodeReader, shortenForMessage } from "./node-reader.ts";

type Read = (reader: NodeReader, node: Node, key: string) => unknown;

/** Reads one of a few words or their common synonyms. */
function words(known: readonly string[], meant: Readonly<Record<string, string>> = {}): Read {
  return (reader, node, key) => reader.list(node, key, (one) => reader.oneOf(one, key, known, meant));
}

function patterns(check?: Check): Read {
  return (reader, node, key) => reader.list(node, key, (one) => readPattern(reader, one, key, check));
}

const boolean: Read = (reader, node, key) => reader.boolean(node, key);

/** Each criterion, in display order. */
const CRITERIA: Readonly<Record<keyof RuleMatch, Read>> = {
  moment: words(POLICY_MOMENTS),
  agent: patterns(),
  session: patterns(),
  tool: patterns(),
  toolType: words(TOOL_TYPES, { custom: "other" }),
  server: patterns(),
  skill: patterns(),
  command: patterns(checkCommand),
  danger: words(["any", ...DANGERS.map(({ id }) => id)]),
  harmless: boolean,
  inspectable: boolean,
  path: patterns(checkPath),
  access: words(ACCESSES, { edit: "write", remove: "delete" }),
  cwd: patterns(checkPath),
  risk: words(RISKS, { critical: "high", normal: "medium" }),
  reversible: boolean,
  attended: boolean,
};

/** The criteria of a rule; undefined if one of them is invalid. */
export function readMatch(reader: NodeReader, node: Node, name: string): RuleMatch | undefined {
  const members = reader.members(node, name, Object.keys(CRITERIA));
  if (members === undefined) return undefined;
  const read = members.map(({ key, value }) => [key, CRITERIA[key as keyof RuleMatch](reader, value, key)] as const);
  const ok = (read.length > 0 || (isMap(node) && node.items.length === 0)) && read.every(([, value]) => value !== undefined);
  return ok ? Object.fromEntries(read) : undefined;
}

/** Reports why a pattern is refused; true if there is no objection. */
type Check = (reader: NodeReader, node: Node, text: string) => true | undefined;

function readPattern(reader: NodeReader, node: Node, name: string, check: Check = () => true): TextPattern | undefined {
  if (isScalar(node)) {
    const text = reader.text(node, name);
    return text === undefined || check(reader, node, text) === undefined ? undefined : text;
  }
  const [member, ...others] = reader.members(node, `\`${name}\``, ["regex"]) ?? [];
  const source = member === undefined || others.length > 0 ? undefined : reader.text(member.value, "regex");
  if (member === undefined || source === undefined) return undefined;
  try {
    compileRe2(source);
    return { regex: source };
  } catch (error) {
    const message = error instanceof Error ? error.message.replace(/^error parsing regexp: /, "") : "unreadable";
    const hint = "Patterns are those of RE2: no look-ahead, look-behind or back-references. In YAML, single quotes keep backslashes.";
    return reader.refuse(member.value, `\`regex\` cannot be read: ${shortenForMessage(message)}.`, hint);
  }
}

function checkCommand(reader: NodeReader, node: Node, text: string): true | undefined {
  const operator = /(?:^|\s)(?:&&|\|\|?|;|&|>>?|<)(?:\s|$)|\$\(|`/.exec(text)?.[0].trim();
  if (operator !== undefined) {
    const message = `A rule looks at one simple command at a time; \`${operator}\` joins several.`;
    return reader.refuse(node, message, "Write a list with one pattern for each command.");
  }
  if (tokenizeCommandPattern(text)[0] !== "<words>") return true;
  return reader.refuse(node, "A command begins with a program.", "`<words>` stands for what follows it.");
}

function checkPath(reader: NodeReader, node: Node, text: string): true | undefined {
  if (text.startsWith("~") && text !== "~" && !text.startsWith("~/"))
    return reader.refuse(node, `\`${shortenForMessage(text)}\` is somebody else's home folder.`, "Write the whole path.");
  const begins = PATH_BEGINNINGS.some((beginning) => text.startsWith(beginning)) || /^[A-Za-z]:[\\/]/.test(text);
  if (begins && (!text.startsWith("{") || /^\{(?:workspace|earshot|secret)\}(?:\/|$)/.test(text))) return true;
  const hint = "`{workspace}/src/**`, `**/.env` in any folder, `~/notes`, `/etc/**`, `{earshot}/**`, `{secret}`.";
  return reader.refuse(node, `A pattern for paths says where it begins; \`${shortenForMessage(text)}\` does not.`, hint);
}
