import type { JsonObject, JsonValue } from "@earshot/protocol";
import type { Asked } from "../asked.ts";
import { UNVERSIONED } from "../catalogue/paths.ts";
import { DESTROYING_QUERY } from "../catalogue/patterns.ts";
import { isPublicPart, isSecretPath } from "../catalogue/secrets.ts";
import { HARMLESS_TOOLS, LOOKING_WORDS, MEMBERS, SECRET_SERVER, TOOL_ROWS } from "../catalogue/tools.ts";
import { GLOBAL_VALUES } from "../catalogue/wrappers.ts";
import { isObject } from "../tool-input.ts";
import { isElsewhere, isInternal, isLoopback } from "./addresses.ts";
import { isHubAddress } from "./conditions.ts";
import { dangersInCode, dangersInText } from "./find-dangers.ts";
import { pathDangers } from "./path-dangers.ts";
import { readRedis, readSql } from "./read-sql.ts";
import { isAtHome, isOrdinary, isReplaceable, MIN_SEVERAL, type TargetContext, targetKind } from "./target.ts";
import type { Touched } from "./touched.ts";

export interface ToolFindings {
  readonly dangers: readonly string[];
  readonly harmless: () => boolean;
}

const MAX_VALUES = 200;

/** The findings in a call of a tool other than a shell: from its name, its arguments, and the files that it names. */
export function findInTool(asked: Asked, touched: readonly Touched[], context: TargetContext): ToolFindings {
  const whole = asked.originalTool ?? asked.tool ?? "";
  const name = (whole.split(/__|[:/]/).at(-1) ?? whole).toLowerCase();
  const words = wordsOf(whole);
  const own = wordsOf(whole.split("__").at(-1) ?? whole);
  const looks = LOOKING_WORDS.has(own[0] ?? "") || (own[0] === "browser" && LOOKING_WORDS.has(own[1] ?? ""));
  const found = new Set<string>();
  for (const row of TOOL_ROWS) if (row.names?.test(name) === true) found.add(row.effect);
  // A shell's command is looked at by itself.
  if (asked.command === undefined) {
    const { dangers, read } = readArguments(asked, words, context);
    for (const id of dangers) found.add(id);
    const isLocal =
      touched.length > 0 &&
      (!whole.startsWith("mcp__") ||
        wordsOf(whole.split("__").slice(0, -1).join("_")).some((word) => /^(?:fs|file|files|filesystem|desktop|disk)$/.test(word)));
    const deletes = whole.startsWith("mcp__") && touched.some(({ access }) => access === "delete");
    if (!looks && (deletes || (!isLocal && !read && changes(own)))) found.add("tool-changes");
    if (own[0] !== "list" && own[0] !== "search" && words.some((word) => SECRET_SERVER.test(word))) found.add("secret-read");
    for (const id of dangersInText(commandInName(words, asked.input), context)) found.add(id);
  }
  for (const one of touched) for (const id of fileDangers(one, asked, context)) found.add(id);
  const deleted = touched.filter(({ access }) => access === "delete");
  if (deleted.length >= MIN_SEVERAL && deleted.some((one) => targetKind(one, context) === "kept")) found.add("delete-several");
  return { dangers: [...found], harmless: () => found.size === 0 && isHarmless(name, looks, asked, touched, context) };
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

/** By the words of its name: one that changes something for good or for others, or one that adds what gives others access. */
function changes(own: readonly string[]): boolean {
  const row = TOOL_ROWS.find(({ words }) => words !== undefined);
  return (
    own.some((word) => row?.words?.has(word.replace(/(?<=...)s$/, "")) === true) ||
    (own.some((word) => CREATES.has(word)) && own.some((word) => GIVES.has(word.replace(/s$/, ""))))
  );
}

const CREATES = new Set("create add update set change make put modify edit generate new".split(" "));
const GIVES = new Set(
  "file content protection repository repo webhook token key secret user member role permission policy collaborator deployment environment domain dns inventory price stock balance payment refund charge invoice subscription order account password credential variable rule firewall".split(
    " ",
  ),
);

function fileDangers(touched: Touched, { tool = "" }: Asked, context: TargetContext): readonly string[] {
  const { access, path, shape } = touched;
  const found = [...pathDangers(touched, context, access === undefined)];
  const kind = targetKind(touched, context);
  if (access === "delete") {
    if (kind === "broad" || kind === "system" || kind === "device") found.push("delete-broad");
    else if (kind === "outside") found.push("delete-outside");
    else if (kind === "unknown") found.push("delete-unknown");
    else if (kind === "kept" && !/\.\w+$/.test(path)) found.push("delete-recursive");
    else if (kind === "kept" && UNVERSIONED.test(path)) found.push("delete-several");
  }
  const secret = isSecretPath(shape ?? path) && !isPublicPart(path);
  if (secret && (access === "read" || access === undefined) && !/^(?:glob|ls|list_?\w*)$/i.test(tool)) found.push("secret-read");
  if (/^(?:move|rename|mv)/i.test(tool) && access === "write" && !isAtHome(touched, context)) found.push("move-away");
  if (/^(?:move|rename|mv)/i.test(tool) && access === "write" && kind === "temporary") found.push("move-away");
  return found;
}

interface Value {
  readonly member: string;
  readonly text: string;
}

function valuesIn(value: JsonValue | undefined, member: string, values: Value[]): readonly Value[] {
  if (values.length >= MAX_VALUES) return values;
  if (typeof value === "string") values.push({ member, text: value });
  else if (Array.isArray(value)) for (const one of value) valuesIn(one, member, values);
  else if (isObject(value)) for (const [key, one] of Object.entries(value)) valuesIn(one, key, values);
  return values;
}

/** Words of tools that type what they are given. */
const TYPES = ["key", "keys", "keyboard", "type", "computer", "typing"];
const BROWSES = new Set(["navigate", "goto", "browser", "playwright", "puppeteer", "page", "tab"]);
const QUERY =
  /^\s*(?:\/\*[\s\S]*?\*\/|--[^\n]*\n|\s)*(?:select|insert|update|delete|drop|truncate|alter|create|grant|revoke|with|copy|call|do|exec|merge|pragma|attach|vacuum|replace|rename|explain|show|set)\b/i;

/** What the arguments say; `read`: a query or code among them says by itself what the call does. */
function readArguments(
  { input, tool = "" }: Asked,
  words: readonly string[],
  context: TargetContext,
): { readonly dangers: readonly string[]; readonly read: boolean } {
  const found: string[] = [];
  let read = false;
  if (isObject(input)) {
    if (isUnwatched(input)) found.push("agent-unwatched");
    if (input["privileged"] === true) found.push("container-privileged");
    const method = input["method"];
    if (
      typeof method === "string" &&
      /^(?:post|put|patch|delete)$/i.test(method) &&
      valuesIn(input, "", []).some(({ text }) => isElsewhere(text))
    )
      found.push("http-change");
  }
  const language = isObject(input) && typeof input["language"] === "string" ? [input["language"].toLowerCase()] : [];
  for (const { member, text } of valuesIn(input, "", [])) {
    if (MEMBERS.url.test(member) || /^(?:https?|file|ftp|gopher|data):/i.test(text)) found.push(...addressDangers(text, words, context));
    if (QUERY.test(text) || MEMBERS.code.test(member)) read = true;
    if (MEMBERS.action.test(member) && /^[\w.:-]{1,64}$/.test(text) && changes(wordsOf(text))) found.push("tool-changes");
    if (TYPES.some((word) => words.includes(word)) && MEMBERS.typed.test(member)) found.push(...dangersInText(text, context));
    if (MEMBERS.query.test(member) && /^\s*mutation\b/.test(text)) found.push("tool-changes");
    if (MEMBERS.query.test(member) && !words.includes("search") && DESTROYING_QUERY.test(text)) found.push("sql-destroys");
    if (words.includes("redis") && MEMBERS.command.test(member)) {
      if (readRedis(text) === "destroys") found.push("sql-destroys");
    } else if (MEMBERS.query.test(member) && QUERY.test(text) && !words.includes("search")) {
      const verdict = readSql(text);
      if (verdict === "destroys") found.push("sql-destroys");
      else if (verdict === "runs") found.push("code-unread");
    } else if (MEMBERS.code.test(member) && !/^(?:edit|write|notebook_?edit|multi_?edit)$/i.test(tool))
      found.push(...codeDangersIn(member, text, [...language, ...words], context));
    else if (MEMBERS.command.test(member) && /\s/.test(text)) found.push(...dangersInText(text, context));
  }
  return { dangers: found, read };
}

/** Another agent, started in a mode without prompts. */
function isUnwatched(input: JsonObject): boolean {
  return Object.values(input).some(
    (value) => typeof value === "string" && /^(?:bypassPermissions|dangerously\w*|yolo|danger-full-access)$/i.test(value),
  );
}

function addressDangers(text: string, words: readonly string[], context: TargetContext): readonly string[] {
  if (isInternal(text)) return ["internal-address"];
  if (isHubAddress(text, context)) return ["earshot-decides"];
  // A browser often shows the project under development.
  if (isLoopback(text) && !words.some((word) => BROWSES.has(word))) return ["internal-address"];
  if (!/^file:/i.test(text)) return [];
  const path = text.replace(/^file:\/\//i, "");
  return isAtHome({ path, sure: true }, context) ? [] : ["internal-address"];
}

function codeDangersIn(member: string, text: string, words: readonly string[], context: TargetContext): readonly string[] {
  const language = languageOf([member.toLowerCase(), ...words]);
  if (language === "shell") return dangersInText(text, context);
  if (language === undefined) return [...dangersInText(text, context), ...dangersInCode({ language: "python", text }, context)];
  // Notebooks run what follows `!` in a shell.
  const shell = [...text.matchAll(/^\s*[!%]{1,2}(?:sh|bash|system|sx)?\s*(.+)$/gm)].flatMap(([, command = ""]) =>
    dangersInText(command, context),
  );
  return [...shell, ...dangersInCode({ language, text }, context)];
}

function languageOf(words: readonly string[]): string | undefined {
  const has = (...names: readonly string[]) => words.some((word) => names.some((name) => word.includes(name)));
  if (has("shell", "bash", "terminal")) return "shell";
  if (has("python", "jupyter", "ipython", "notebook", "ide", "pandas", "kernel")) return "python";
  if (has("javascript", "js", "node", "browser", "playwright", "puppeteer", "evaluate", "function", "page", "chrome")) return "javascript";
  if (has("sql", "postgres", "sqlite", "database")) return "sql";
  return has("ruby") ? "ruby" : has("php") ? "php" : undefined;
}

function isHarmless(
  name: string,
  looks: boolean,
  { unread, tool = "" }: Asked,
  touched: readonly Touched[],
  context: TargetContext,
): boolean {
  if (unread !== undefined || !(HARMLESS_TOOLS.test(name) || (looks && name !== ""))) return false;
  const isExpected = (one: Touched) => isOrdinary(one, context) && (one.access !== "delete" || isReplaceable(one, context));
  return touched.every((one) => one.access === "read" || (one.access === undefined && looks) || isExpected(one)) && tool !== "";
}
