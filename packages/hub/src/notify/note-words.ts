import { isObject, type JsonValue } from "@earshot/protocol";
import type { RequestKind } from "../request.ts";
import type { Whom } from "../whom.ts";
import type { Note } from "./desktops.ts";

const KINDS: Readonly<Record<RequestKind, string>> = {
  permission: "Asks for your permission.",
  confirmation: "Asks for a yes or no.",
  clarification: "Has a question.",
  handoff: "Wants to hand over to you.",
};
const WHERE = "Answer in Earshot.";

/** "Claude Code in shop": "Asks for your permission." Never what for: a screen may be seen by others, and a lock screen by anybody. */
export function requestNote(kind: RequestKind, whom: Whom): Note {
  return { title: nameOf(whom), body: `${KINDS[kind]} ${WHERE}`, isUrgent: true };
}

export function moreNote(): Note {
  return { title: "Earshot", body: `More requests wait for you. ${WHERE}`, isUrgent: true };
}

/** Something went past what guards the agents, or the guard itself was changed. */
export function guardNote(whom: Whom | undefined): Note {
  if (whom === undefined)
    return { title: "Earshot: the guard", body: "Something is wrong with what guards your agents. See Earshot.", isUrgent: true };
  return { title: nameOf(whom), body: "Something ran that nobody allowed. See Earshot.", isUrgent: true };
}

export const TEST_NOTE: Note = {
  title: "Earshot",
  body: "This is a test. Requests of your agents will be told like this.",
  isUrgent: false,
};

function nameOf({ agent, workspace }: Whom): string {
  const project = projectOf(workspace);
  return `${plain(agent === "" ? "An agent" : agent)}${project === undefined ? "" : ` in ${plain(project)}`}`;
}

function projectOf(workspace: JsonValue | undefined): string | undefined {
  if (!isObject(workspace)) return undefined;
  const { project_path: path, roots, cwd } = workspace;
  const folder = [path, Array.isArray(roots) ? roots[0] : undefined, cwd].find((one) => typeof one === "string" && one !== "");
  return typeof folder === "string" ? folder.split(/[\\/]+/).findLast((part) => part !== "") : undefined;
}

const LONGEST_NAME = 40;

/** A name is one short line. Some desktops read marks in it, and a word that turns the direction of the rest is no name. */
function plain(name: string): string {
  const line = name
    .slice(0, 200)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>&]+/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  const characters = [...line];
  return characters.length <= LONGEST_NAME ? line : `${characters.slice(0, LONGEST_NAME - 1).join("")}…`;
}
