import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol/json";
import type { PolicyInput } from "../asked.ts";
import { nameSet } from "../catalogue/names.ts";
import { UNVERSIONED } from "../catalogue/paths.ts";
import { DESTROYING_QUERY } from "../catalogue/patterns.ts";
import { GLOBAL_VALUES } from "../catalogue/programs.ts";
import { isPublicPart, isSecretPath } from "../catalogue/secrets.ts";
import {
  CHANGING_WORDS,
  HARMLESS_TOOLS,
  LOOKING_WORDS,
  languageOfToolCode,
  SECRET_SERVER,
  TOOL_MEMBER_NAMES,
  TOOL_ROWS,
} from "../catalogue/tools.ts";
import { isElsewhere, isInternal, isLoopbackWord } from "./addresses.ts";
import { isHubAddress } from "./conditions.ts";
import { dangersInCode, dangersInText } from "./find-dangers.ts";
import { pathDangers } from "./path-dangers.ts";
import { shellLines } from "./read-code.ts";
import { readRedis, readSql } from "./read-sql.ts";
import { isAtHome, isOrdinary, isReplaceable, MIN_ASKED_DELETIONS, pathKindOf, type TargetContext } from "./target.ts";
import type { TouchedPath } from "./touched-path.ts";

export interface ToolFindings {
  readonly dangers: readonly string[];
  readonly harmless: () => boolean;
}

const MAX_VALUES = 200;
const MAX_NESTED_CHARACTERS = 65_536;

/** The findings in a call of a tool other than a shell: from its name, its arguments, and the files it names. */
export function findInTool(asked: PolicyInput, touched: readonly TouchedPath[], context: TargetContext): ToolFindings {
  const whole = asked.originalTool ?? asked.tool ?? "";
  const name = (whole.split(/__|[:/]/).at(-1) ?? whole).toLowerCase();
  const own = wordsOf(whole.split("__").at(-1) ?? whole);
  const looks = LOOKING_WORDS.has(own[0] ?? "") || (own[0] === "browser" && LOOKING_WORDS.has(own[1] ?? ""));
  const found = new Set(TOOL_ROWS.filter(({ names }) => names.test(name)).map(({ effect }) => effect));
  const add = (ids: readonly string[]) => {
    for (const id of ids) found.add(id);
  };
  // A shell command is checked separately.
  if (asked.command === undefined) add(callDangers(asked, whole, { own, looks, touched }, context));
  for (const one of touched) add(fileDangers(one, asked, context));
  const deleted = touched.filter(({ access }) => access === "delete");
  if (deleted.length >= MIN_ASKED_DELETIONS && deleted.some((one) => pathKindOf(one, context) === "kept")) found.add("delete-several");
  const isExpected = (one: TouchedPath) => isOrdinary(one, context) && (one.access !== "delete" || isReplaceable(one, context));
  const isKnown = asked.unread === undefined && (HARMLESS_TOOLS.test(name) || (looks && name !== "")) && asked.tool !== undefined;
  const isSafe = (one: TouchedPath) => one.access === "read" || (one.access === undefined && looks) || isExpected(one);
  return { dangers: [...found], harmless: () => found.size === 0 && isKnown && asked.tool !== "" && touched.every(isSafe) };
}

interface ToolName {
  /** The words of its own name, without its server's name. */
  readonly own: readonly string[];
  /** Its name says that it only reads. */
  readonly looks: boolean;
  readonly touched: readonly TouchedPath[];
}

function callDangers(asked: PolicyInput, whole: string, { own, looks, touched }: ToolName, context: TargetContext): readonly string[] {
  const words = wordsOf(whole);
  const { dangers, read } = readArguments(asked, words, context);
  const found = [...dangers, ...dangersInText(commandInName(words, asked.input), context)];
  const isServers = whole.startsWith("mcp__");
  const server = wordsOf(whole.split("__").slice(0, -1).join("_"));
  const isLocal = touched.length > 0 && (!isServers || server.some((word) => /^(?:fs|file|files|filesystem|desktop|disk)$/.test(word)));
  const deletes = isServers && touched.some(({ access }) => access === "delete");
  if (!looks && (deletes || (!isLocal && !read && changes(own)))) found.push("tool-changes");
  if (own[0] !== "list" && own[0] !== "search" && words.some((word) => SECRET_SERVER.test(word))) found.push("secret-read");
  return found;
}

function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== "" && word !== "mcp");
}

/** `mcp__git__git_reset { mode: "hard" }` is `git reset --hard`. */
function commandInName(words: readonly string[], input: JsonValue | undefined): string {
  const at = words.findLastIndex((word) => Object.hasOwn(GLOBAL_VALUES, word));
  if (at < 0 || at === words.length - 1) return "";
  const options = Object.entries(isObject(input) ? input : {}).flatMap(([name, value]) =>
    value === true ? [`--${name}`] : name === "mode" && typeof value === "string" && /^\w+$/.test(value) ? [`--${value}`] : [],
  );
  return [...words.slice(at), ...options].join(" ");
}

const CREATING_WORDS = nameSet("creating words");
const GIVING_WORDS = nameSet("words that give access");

/** Whether the words of its name change something permanently or for others, or add something that gives others access. */
function changes(own: readonly string[]): boolean {
  const gives = own.some((word) => CREATING_WORDS.has(word)) && own.some((word) => GIVING_WORDS.has(word.replace(/s$/, "")));
  return gives || own.some((word) => CHANGING_WORDS.has(word.replace(/(?<=...)s$/, "")));
}

function fileDangers(touched: TouchedPath, { tool = "" }: PolicyInput, context: TargetContext): readonly string[] {
  const { access, path, shape } = touched;
  const found = [...pathDangers(touched, context, access === undefined)];
  const kind = pathKindOf(touched, context);
  if (access === "delete") {
    if (kind === "broad" || kind === "system" || kind === "device") found.push("delete-broad");
    else if (kind === "outside" || kind === "unknown") found.push(`delete-${kind}`);
    else if (kind === "kept" && !/\.\w+$/.test(path)) found.push("delete-recursive");
    else if (kind === "kept" && UNVERSIONED.test(path)) found.push("delete-several");
  }
  const shows = (access === "read" || access === undefined) && !/^(?:glob|ls|list_?\w*)$/i.test(tool);
  if (shows && isSecretPath(shape ?? path) && !isPublicPart(path)) found.push("secret-read");
  const isAway = !isAtHome(touched, context) || kind === "temporary";
  if (/^(?:move|rename|mv)/i.test(tool) && access === "write" && isAway) found.push("move-away");
  return found;
}

interface Value {
  readonly member: string;
  readonly text: string;
}

function valuesIn(value: JsonValue | undefined, member = "", values: Value[] = []): readonly Value[] {
  if (values.length >= MAX_VALUES) return values;
  if (typeof value === "string") {
    values.push({ member, text: value });
    valuesIn(parseNested(value), member, values);
  } else if (Array.isArray(value)) for (const one of value) valuesIn(one, member, values);
  else if (isObject(value)) {
    const entries = Object.entries(value);
    const [, program] = entries.find(([key, one]) => TOOL_MEMBER_NAMES.program.test(key) && typeof one === "string") ?? [];
    const [, given] = entries.find(([key, one]) => TOOL_MEMBER_NAMES.arguments.test(key) && Array.isArray(one)) ?? [];
    if (program !== undefined && Array.isArray(given)) values.push({ member: "command", text: [program, ...given].join(" ") });
    for (const [key, one] of entries) valuesIn(one, key, values);
  }
  return values;
}

/** A list or an object that the arguments contain as JSON text. */
function parseNested(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/.test(text) || text.length > MAX_NESTED_CHARACTERS) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined; // it only begins like JSON
  }
}

const TYPING_WORDS = nameSet("words of tools that type");
const BROWSING_WORDS = nameSet("words of browsers");
const QUERY =
  /^(?:\/\*(?:(?!\*\/)[\s\S])*\*\/|--[^\n]*\n|\s)*(?:select|insert|update|delete|drop|truncate|alter|create|grant|revoke|with|copy|call|do|exec|merge|pragma|attach|vacuum|replace|rename|explain|show|set)\b/i;

/** The findings in the arguments; `read`: a query or code among them already says what the call does. */
function readArguments(
  asked: PolicyInput,
  words: readonly string[],
  context: TargetContext,
): { readonly dangers: readonly string[]; readonly read: boolean } {
  const { input } = asked;
  const values = valuesIn(input);
  const found = isObject(input) ? memberDangers(input, values) : [];
  const language = isObject(input) && typeof input["language"] === "string" ? [input["language"].toLowerCase()] : [];
  for (const { member, text } of values) {
    const isQuery = TOOL_MEMBER_NAMES.query.test(member) && !words.includes("search");
    if (TOOL_MEMBER_NAMES.url.test(member) || /^(?:https?|file|ftp|gopher|data):/i.test(text))
      found.push(...addressDangers(text, words, context));
    if (TOOL_MEMBER_NAMES.action.test(member) && /^[\w.:-]{1,64}$/.test(text) && changes(wordsOf(text))) found.push("tool-changes");
    if (TOOL_MEMBER_NAMES.typed.test(member) && words.some((word) => TYPING_WORDS.has(word))) found.push(...dangersInText(text, context));
    if (TOOL_MEMBER_NAMES.query.test(member) && /^\s*mutation\b/.test(text)) found.push("tool-changes");
    if (isQuery && DESTROYING_QUERY.test(text)) found.push("sql-destroys");
    if (words.includes("redis") && TOOL_MEMBER_NAMES.command.test(member)) {
      if (readRedis(text) === "destroys") found.push("sql-destroys");
    } else if (isQuery && QUERY.test(text)) {
      const verdict = readSql(text);
      if (verdict === "destroys" || verdict === "runs") found.push(verdict === "runs" ? "code-unread" : "sql-destroys");
    } else if (TOOL_MEMBER_NAMES.code.test(member) && !/^(?:edit|write|notebook_?edit|multi_?edit)$/i.test(asked.tool ?? ""))
      found.push(...codeDangersIn(text, [member.toLowerCase(), ...language, ...words], context));
    else if (TOOL_MEMBER_NAMES.command.test(member) && /\s/.test(text)) found.push(...dangersInText(text, context));
  }
  return { dangers: found, read: values.some(({ member, text }) => QUERY.test(text) || TOOL_MEMBER_NAMES.code.test(member)) };
}

/** The dangers in single arguments with known names. */
function memberDangers(input: JsonObject, values: readonly Value[]): string[] {
  const { method, privileged } = input;
  const found: string[] = [];
  // Another agent started in a mode without prompts.
  const isUnwatched = (value: JsonValue | undefined) =>
    typeof value === "string" && /^(?:bypassPermissions|dangerously\w*|yolo|danger-full-access)$/i.test(value);
  if (Object.values(input).some(isUnwatched)) found.push("agent-unwatched");
  if (privileged === true) found.push("container-privileged");
  const isChange = typeof method === "string" && /^(?:post|put|patch|delete)$/i.test(method);
  if (isChange && values.some(({ text }) => isElsewhere(text))) found.push("http-change");
  return found;
}

function addressDangers(text: string, words: readonly string[], context: TargetContext): readonly string[] {
  if (isHubAddress(text, context) && !isInternal(text)) return ["earshot-decides"];
  // A browser often shows the project under development.
  if (isInternal(text) || (isLoopbackWord(text) && !words.some((word) => BROWSING_WORDS.has(word)))) return ["internal-address"];
  const isFile = /^file:/i.test(text) && !isAtHome({ path: text.replace(/^file:\/\//i, ""), sure: true }, context);
  return isFile ? ["internal-address"] : [];
}

function codeDangersIn(text: string, words: readonly string[], context: TargetContext): readonly string[] {
  const language = languageOfToolCode(words);
  const inShell = (lines: readonly string[]) => lines.flatMap((line) => dangersInText(line, context));
  if (language === "shell") return inShell([text]);
  const inCode = dangersInCode({ language: language ?? "python", text }, context);
  return [...inShell(language === undefined ? [text] : shellLines(text, /.+/)), ...inCode];
}
