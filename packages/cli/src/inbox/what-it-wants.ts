import type { Asked } from "@earshot/hub";
import type { Inspection } from "@earshot/hub/inspection";
import { questionsIn } from "@earshot/hub/questions";
import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import { countInWords } from "../keeping/quantities.ts";
import { agentInProject } from "./agent-in-project.ts";
import { inspectRequest } from "./inspect-request.ts";
import { visibleBeginning } from "./visible-text.ts";

const LONGEST = 200;

/** The request in one sentence, made from the real input: `Claude in shop wants to run: git push`. The agent's own words are quoted. */
export function whatItWants(asked: Asked, inspection: Inspection = inspectRequest(asked)): string {
  const who = agentInProject(asked);
  switch (asked.kind) {
    case "confirmation":
      return `${who} asks for a yes or no, in its own words: ${quoted(wordsOf(asked))}`;
    case "clarification": {
      const [question, ...more] = questionsIn(asked);
      const others = more.length === 0 ? "" : `, and ${countInWords(more.length, "more question")}`;
      return `${who} asks: ${quoted(question?.text ?? wordsOf(asked))}${others}`;
    }
    case "handoff":
      return `${who} wants to hand over${toWhom(asked)}, in its own words: ${quoted(wordsOf(asked))}`;
    case "permission":
      return `${who} wants to ${doing(asked, inspection)}`;
  }
}

/** The same, short enough to stand before a piece of news about it. */
export function whatItWantsInShort(asked: Asked, inspection?: Inspection): string {
  const whole = whatItWants(asked, inspection);
  return whole.length <= 120 ? whole : `${[...whole].slice(0, 119).join("")}…`;
}

/** What an agent says, so that nobody takes it for ours. */
export function quoted(text: string): string {
  return `“${visibleBeginning(text, LONGEST)}”`;
}

function wordsOf({ said, title }: Asked): string {
  return said[0]?.text ?? title;
}

function toWhom({ facts }: Asked): string {
  const kind = facts["target_kind"];
  return typeof kind === "string" && kind !== "" ? ` to ${visibleBeginning(kind, 60)}` : "";
}

const MOMENTS: Readonly<Record<string, string>> = {
  stop: "end its turn",
  "subagent-stop": "end a subagent",
  "subagent-start": "start a subagent",
  compaction: "compact its context",
  "session-start": "begin a session",
};

function doing(asked: Asked, inspection: Inspection): string {
  const moment = String(asked.facts["moment"] ?? "action");
  if (moment === "prompt") return `take this prompt: ${quoted(textIn(asked.input))}`;
  if (moment === "outcome") return `go on after ${tool(asked)} has run`;
  return (Object.hasOwn(MOMENTS, moment) ? MOMENTS[moment] : undefined) ?? acting(asked, inspection);
}

/** Verbs of tools that name a file. */
const VERBS: readonly (readonly [RegExp, string])[] = [
  [/delete|remove|unlink/i, "delete"],
  [/notebook|edit|replace|patch|insert/i, "edit"],
  [/write|create|save/i, "write"],
  [/read|view|open|cat/i, "read"],
  [/glob|grep|search|find|list|^ls$/i, "search in"],
];

function acting(asked: Asked, inspection: Inspection): string {
  const { input, title } = asked;
  const values: JsonObject = isObject(input) ? input : {};
  const command = textOf(values, "command", "cmd", "script");
  if (command !== undefined) return running(command, inspection);
  const server = nameIn(asked.facts["server"]);
  if (server !== undefined) return `use ${visibleBeginning(title, 80)} of the server ${server}`;
  const path = textOf(values, "file_path", "path", "notebook_path", "filename");
  const verb = VERBS.find(([pattern]) => pattern.test(title))?.[1];
  if (path !== undefined && verb !== undefined) return `${verb} ${visibleBeginning(fromFolder(path, asked.facts["workspace"]), LONGEST)}`;
  const url = textOf(values, "url", "uri");
  if (url !== undefined) return `fetch ${visibleBeginning(url, LONGEST)}`;
  const skill = nameIn(asked.facts["skill"]);
  if (skill !== undefined) return `use the skill ${skill}`;
  return `use ${tool(asked)}${path === undefined ? "" : ` on ${visibleBeginning(path, LONGEST)}`}`;
}

/** What does harm comes first: it must not be hidden behind what does none. */
function running(command: string, { commands }: Inspection): string {
  const whole = visibleBeginning(command, LONGEST);
  if (commands.length < 2 || whole.length < LONGEST) return `run: ${whole}`;
  const worst = commands.find(({ dangers }) => dangers.length > 0) ?? commands[0];
  const others = commands.length - 1;
  return `run: ${visibleBeginning(worst?.text ?? command, LONGEST)}, and ${others} other command${others === 1 ? "" : "s"}`;
}

function tool({ title }: Asked): string {
  return `the tool ${visibleBeginning(title, 80)}`;
}

function fromFolder(path: string, workspace: JsonValue | undefined): string {
  const cwd = isObject(workspace) ? workspace["cwd"] : undefined;
  return typeof cwd === "string" && cwd !== "" && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
}

function textIn(input: JsonValue | undefined): string {
  if (typeof input === "string") return input;
  if (Array.isArray(input)) return input.map((part) => (isObject(part) ? (textOf(part, "text", "value") ?? "") : "")).join("\n");
  return input === undefined ? "" : JSON.stringify(input);
}

function nameIn(value: JsonValue | undefined): string | undefined {
  const name = isObject(value) ? textOf(value, "name", "id") : undefined;
  return name === undefined ? undefined : visibleBeginning(name, 80);
}

function textOf(value: JsonObject, ...names: readonly string[]): string | undefined {
  const found = names.map((name) => value[name]).find((one) => typeof one === "string" && one !== "");
  return typeof found === "string" ? found : undefined;
}
