import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol/json";
import type { AskedRequest as Asked } from "./request.ts";

/** The agent's wish: "wants to", "run git push". */
export interface DescribedWish {
  /** The words that join it to the agent. */
  readonly joined: string;
  /** With its verb, as on a button. The agent's own words are quoted. */
  readonly what: string;
}

export interface WishOptions {
  /** Shows an agent's text on one line without hidden characters; beyond `most` characters it states how many are omitted. */
  readonly show: (text: string, most: number) => string;
  /** Simple commands found in the input; harmful ones are named first. */
  readonly commands?: readonly { readonly text: string; readonly dangers: readonly string[] }[];
}

const MAX_WISH_CHARACTERS = 160;
const LONGEST_NAME = 60;

/** Based on the real input, identical on a page, in a terminal and in speech. */
export function describeWish(asked: Asked, options: WishOptions): DescribedWish {
  const { show } = options;
  const { title, said } = asked;
  const quoted = (text: string) => `“${show(text, MAX_WISH_CHARACTERS)}”`;
  switch (asked.kind) {
    case "permission":
      return { joined: "wants to", what: actionOf(asked, options) };
    case "confirmation": {
      const tool = title === "confirmation" ? "do this" : `use ${show(title, LONGEST_NAME)}`;
      return { joined: "wants to", what: `${tool}, in its own words: ${quoted(said[0]?.text ?? title)}` };
    }
    case "clarification":
      return { joined: "asks:", what: questionOf(asked, quoted) };
    case "handoff": {
      const target = asked.facts["target_kind"];
      const whom = typeof target === "string" && target !== "" ? ` to ${show(target, LONGEST_NAME)}` : "";
      const why = said[0]?.text;
      return { joined: "wants to", what: `hand over${whom}${why === undefined ? "" : `, in its own words: ${quoted(why)}`}` };
    }
  }
}

function questionOf({ fields = [], said, title }: Asked, quoted: (text: string) => string): string {
  const [first, ...more] = fields;
  const text = first === undefined ? said.find(({ name }) => name === "question")?.text : first.text === "" ? undefined : first.text;
  const others = more.length === 0 ? "" : `, and ${more.length} more ${more.length === 1 ? "question" : "questions"}`;
  return `${quoted(text ?? said.at(-1)?.text ?? title)}${others}`;
}

const MOMENTS: Readonly<Record<string, string>> = {
  stop: "end its turn",
  "subagent-stop": "end a subagent",
  "subagent-start": "start a subagent",
  compaction: "compact its context",
  "session-start": "begin a session",
};

function actionOf(asked: Asked, options: WishOptions): string {
  const { show } = options;
  const moment = String(asked.facts["moment"] ?? "action");
  if (moment === "prompt") return `take this prompt: “${show(promptIn(asked.input), MAX_WISH_CHARACTERS)}”`;
  if (moment === "outcome") return `go on after ${show(asked.title, LONGEST_NAME)} has run`;
  return (Object.hasOwn(MOMENTS, moment) ? MOMENTS[moment] : undefined) ?? actingOf(asked, options);
}

/** Verbs of tools that name a file. */
const VERBS: readonly (readonly [RegExp, string])[] = [
  [/delete|remove|unlink/i, "delete"],
  [/notebook|edit|replace|patch|insert/i, "change"],
  [/write|create|save/i, "write"],
  [/read|view|open|cat/i, "read"],
  [/glob|grep|search|find|list|^ls$/i, "search in"],
];

const OF_EDITORS = /^(?:view|create|str_replace|insert|undo_edit|delete|rename)$/;

function actingOf(asked: Asked, options: WishOptions): string {
  const { show } = options;
  const { title, facts } = asked;
  const input = isObject(asked.input) ? asked.input : {};
  const command = textOf(input, "command", "cmd", "script", "commandLine", "CommandLine");
  const path = textOf(input, "file_path", "filePath", "path", "notebook_path", "filename");
  const verb = VERBS.find(([pattern]) => pattern.test(title))?.[1];
  // Editor tools have a command that names the operation on the file; any other command takes precedence over everything else.
  if (command !== undefined && !(path !== undefined && OF_EDITORS.test(command))) return running(command, options);
  const server = nameIn(facts["server"], show);
  if (server !== undefined) return `use ${show(title, LONGEST_NAME)} of the server ${server}`;
  if (path !== undefined && verb !== undefined) return `${verb} ${show(fromFolder(path, facts["workspace"]), MAX_WISH_CHARACTERS)}`;
  const url = textOf(input, "url", "uri");
  if (url !== undefined) return `open ${show(url, MAX_WISH_CHARACTERS)}`;
  const query = textOf(input, "query");
  if (query !== undefined && /search/i.test(title)) return `search for “${show(query, MAX_WISH_CHARACTERS)}”`;
  const skill = nameIn(facts["skill"], show);
  if (skill !== undefined) return `use the skill ${skill}`;
  return `use ${show(title, LONGEST_NAME)}${path === undefined ? "" : ` on ${show(path, MAX_WISH_CHARACTERS)}`}`;
}

/** Harmful commands come first so that they are not hidden behind harmless ones. */
function running(command: string, { show, commands = [] }: WishOptions): string {
  const whole = show(command, MAX_WISH_CHARACTERS);
  if (commands.length < 2 || whole.length < MAX_WISH_CHARACTERS) return `run ${whole}`;
  const worst = commands.find(({ dangers }) => dangers.length > 0) ?? commands[0];
  const others = commands.length - 1;
  return `run ${show(worst?.text ?? command, MAX_WISH_CHARACTERS)}, and ${others} other ${others === 1 ? "command" : "commands"}`;
}

function fromFolder(path: string, workspace: JsonValue | undefined): string {
  const cwd = isObject(workspace) ? workspace["cwd"] : undefined;
  return typeof cwd === "string" && cwd !== "" && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
}

function promptIn(input: JsonValue | undefined): string {
  if (typeof input === "string") return input;
  if (Array.isArray(input)) return input.map((part) => (isObject(part) ? (textOf(part, "text", "value") ?? "") : "")).join("\n");
  return input === undefined ? "" : JSON.stringify(input);
}

function nameIn(value: JsonValue | undefined, show: WishOptions["show"]): string | undefined {
  const name = isObject(value) ? textOf(value, "name", "id") : undefined;
  return name === undefined ? undefined : show(name, LONGEST_NAME);
}

/** The first of these members that is a text; a command given as a list of words is joined with spaces. */
function textOf(value: JsonObject, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = Object.hasOwn(value, name) ? value[name] : undefined;
    if (typeof found === "string" && found !== "") return found;
    if (Array.isArray(found) && found.length > 0 && found.every((one) => typeof one === "string")) return found.join(" ");
  }
  return undefined;
}
