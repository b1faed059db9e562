import { showHidden } from "@earshot/policy";
import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol/json";
import { agentName, folderIn, type HeardAsked, projectName } from "@earshot/sdk/ear";

/** What is asked, in parts: "Claude Code in shop", "wants to", "run git push". */
export interface Wish {
  readonly who: string;
  /** How `who` and `what` are joined. */
  readonly joined: string;
  /** With its verb: what a button is about. Holds the agent's own words only in quotation marks. */
  readonly what: string;
}

/** The simple commands that were found in the input; those that do harm are named first. */
export interface KnownCommands {
  readonly commands: readonly { readonly text: string; readonly dangers: readonly string[] }[];
}

type Told = { readonly card: { readonly asked: HeardAsked } };

/** "Claude Code in shop wants to run git push": who, where, what, made from the real input, with what a screen would hide written out. */
export function headingOf(request: Told, known?: KnownCommands): string {
  const { who, joined, what } = wishOf(request, known);
  return `${who} ${joined} ${what}`;
}

export function wishOf({ card }: Told, known?: KnownCommands): Wish {
  const { asked } = card;
  const who = whoAsks(asked);
  switch (asked.kind) {
    case "permission":
      return { who, joined: "wants to", what: actionOf(asked, known) };
    case "confirmation": {
      const tool = asked.title === "confirmation" ? "do this" : `use ${shortly(asked.title, LONGEST_NAME)}`;
      return { who, joined: "wants to", what: `${tool}, in its own words: ${quoted(asked.said[0]?.text ?? asked.title)}` };
    }
    case "clarification":
      return { who, joined: "asks:", what: questionOf(asked) };
    case "handoff": {
      const target = asked.facts["target_kind"];
      const whom = typeof target === "string" && target !== "" ? ` to ${shortly(target, LONGEST_NAME)}` : "";
      const why = asked.said[0]?.text;
      return { who, joined: "wants to", what: `hand over${whom}${why === undefined ? "" : `, in its own words: ${quoted(why)}`}` };
    }
  }
}

/** "Claude Code in shop". */
export function whoAsks({ agent, facts }: Pick<HeardAsked, "agent" | "facts">): string {
  const project = projectName(folderIn(facts));
  const name = shortly(agentName(agent), LONGEST_NAME);
  return project === undefined ? name : `${name} in ${shortly(project, LONGEST_NAME)}`;
}

const LONGEST = 160;
const LONGEST_NAME = 60;

/** Text of an agent in one line: nothing in it is hidden, and what is cut off is counted. */
export function shortly(text: string, most = LONGEST): string {
  const line = showHidden(text)
    .shown.trim()
    .replaceAll(/[ \t]*\n+[ \t]*/g, " ⏎ ")
    .replaceAll(/[ \t]+/g, " ");
  const characters = line.length <= most ? [] : [...line];
  const left = characters.length - most;
  return left <= 0 ? line : `${characters.slice(0, most).join("")}… (${left.toLocaleString("en")} more characters)`;
}

/** What an agent says, so that nobody takes it for ours. */
export function quoted(text: string, most = LONGEST): string {
  return `“${shortly(text, most)}”`;
}

function questionOf({ fields = [], said, title }: HeardAsked): string {
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

function actionOf(asked: HeardAsked, known: KnownCommands | undefined): string {
  const moment = String(asked.facts["moment"] ?? "action");
  if (moment === "prompt") return `take this prompt: ${quoted(promptIn(asked.input))}`;
  if (moment === "outcome") return `go on after ${shortly(asked.title, LONGEST_NAME)} has run`;
  return (Object.hasOwn(MOMENTS, moment) ? MOMENTS[moment] : undefined) ?? actingOf(asked, known);
}

/** Verbs of tools that name a file. */
const VERBS: readonly (readonly [RegExp, string])[] = [
  [/delete|remove|unlink/i, "delete"],
  [/notebook|edit|replace|patch|insert/i, "change"],
  [/write|create|save/i, "write"],
  [/read|view|open|cat/i, "read"],
  [/glob|grep|search|find|list|^ls$/i, "search in"],
];

function actingOf(asked: HeardAsked, known: KnownCommands | undefined): string {
  const { title, facts } = asked;
  const input = isObject(asked.input) ? asked.input : {};
  const command = textOf(input, "command", "cmd", "script", "commandLine", "CommandLine");
  const path = textOf(input, "file_path", "filePath", "path", "notebook_path", "filename");
  const verb = VERBS.find(([pattern]) => pattern.test(title))?.[1];
  // Tools of one editor have a command that says what is done to the file.
  if (command !== undefined && path === undefined) return running(command, known);
  const server = nameIn(facts["server"]);
  if (server !== undefined) return `use ${shortly(title, LONGEST_NAME)} of the server ${server}`;
  if (path !== undefined && verb !== undefined) return `${verb} ${shortly(fromFolder(path, facts["workspace"]))}`;
  if (command !== undefined) return running(command, known);
  const url = textOf(input, "url", "uri");
  if (url !== undefined) return `open ${shortly(url)}`;
  const query = textOf(input, "query");
  if (query !== undefined && /search/i.test(title)) return `search for ${quoted(query)}`;
  const skill = nameIn(facts["skill"]);
  if (skill !== undefined) return `use the skill ${skill}`;
  return `use ${shortly(title, LONGEST_NAME)}${path === undefined ? "" : ` on ${shortly(path)}`}`;
}

/** What does harm comes first: it must not be hidden behind what does none. */
function running(command: string, known: KnownCommands | undefined): string {
  const commands = known?.commands ?? [];
  const whole = shortly(command);
  if (commands.length < 2 || whole.length < LONGEST) return `run ${whole}`;
  const worst = commands.find(({ dangers }) => dangers.length > 0) ?? commands[0];
  const others = commands.length - 1;
  return `run ${shortly(worst?.text ?? command)}, and ${others} other ${others === 1 ? "command" : "commands"}`;
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

function nameIn(value: JsonValue | undefined): string | undefined {
  const name = isObject(value) ? textOf(value, "name", "id") : undefined;
  return name === undefined ? undefined : shortly(name, LONGEST_NAME);
}

/** The first of these members that is a text; agents that give a command as a list of words mean them with spaces between. */
function textOf(value: JsonObject, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = Object.hasOwn(value, name) ? value[name] : undefined;
    if (typeof found === "string" && found !== "") return found;
    if (Array.isArray(found) && found.length > 0 && found.every((one) => typeof one === "string")) return found.join(" ");
  }
  return undefined;
}
