import { spaceWords } from "../amounts.ts";
import type { CommandEffect } from "../calls/command-effects.ts";
import type { ReadCall } from "../calls/read-call.ts";
import type { ActionName, Conjugated } from "../words/english-actions.ts";
import { fileName, folderName, type LanguageWords, spokenAddress, spokenName, spokenPlainText } from "./reading.ts";
import type { Verbosity } from "./words.ts";

const LONGEST_NAME = 200;

/** Facts about a call besides its input. */
export interface CallNames {
  readonly tool?: string;
  readonly toolTitle?: string;
  readonly server?: string;
  /** Of a skill or a helper. */
  readonly name?: string;
}

/** A call in all the forms that sentences need. */
export function conjugateCall(call: ReadCall, names: CallNames, tongue: LanguageWords): Conjugated {
  const [action, what] = actionOf(call, names, tongue);
  return tongue.catalogue.actions[action](what);
}

function actionOf(call: ReadCall, names: CallNames, tongue: LanguageWords): readonly [ActionName, string | undefined] {
  const { kind, command, paths } = call;
  switch (kind) {
    case "command":
      return command === undefined
        ? ["command", undefined]
        : [actionFor(command.effect), command.paths.length > 1 ? filesAloud(command.paths, tongue) : fileName(command.what, tongue)];
    case "edit":
    case "write":
    case "read":
    case "delete":
    case "list":
      return [kind, filesAloud(paths, tongue)];
    case "fetch":
      return [kind, spokenAddress(call.address, tongue)];
    case "subagent":
      return [kind, spokenName(names.name, tongue)];
    case "skill": {
      const skill = nameOf(names.name ?? names.tool, tongue);
      return skill === undefined ? ["use", undefined] : ["use-skill", skill];
    }
    case "mcp":
      return ["use", tongue.catalogue.words.toolOf(spokenToolName(names, tongue), spokenName(names.server, tongue))];
    case "other":
      return ["use", spokenToolName(names, tongue)];
    default:
      return [kind, undefined];
  }
}

/** The tool action that equals a command's effect. */
function actionFor(effect: CommandEffect): ActionName {
  return effect === "run" ? "command" : effect === "create" ? "write" : effect;
}

/** `cart.ts and 2 more files`. */
function filesAloud(paths: readonly string[], tongue: LanguageWords): string | undefined {
  const first = fileName(paths[0], tongue);
  const more = paths.length - 1;
  if (first === undefined || more < 1) return first;
  return tongue.catalogue.words.moreFiles(more, first);
}

export function spokenToolName({ toolTitle, tool }: CallNames, tongue: LanguageWords): string | undefined {
  return nameOf(toolTitle ?? tool, tongue);
}

function nameOf(name: string | undefined, tongue: LanguageWords): string | undefined {
  return name === undefined ? undefined : spokenName(spaceWords(name.slice(0, LONGEST_NAME)), tongue);
}

/** Details after the verb: size, number of further commands, privileges. */
export function callDetails(call: ReadCall, verbosity: Verbosity, tongue: LanguageWords): readonly (string | undefined)[] {
  if (verbosity === "terse") return [call.command?.elevated === true ? tongue.catalogue.words.elevated : undefined];
  const { words } = tongue.catalogue;
  const { lines, steps, command } = call;
  const count = (counted: (n: number) => string, n: number | undefined) => (n === undefined || n === 0 ? undefined : counted(n));
  const folder = verbosity === "detailed" && call.paths.length === 1 ? folderName(call.paths[0], tongue) : undefined;
  return [
    count(words.lines, lines),
    count(words.steps, steps),
    folder === undefined ? undefined : words.inFolder(folder),
    command?.elevated === true ? words.elevated : undefined,
    count(words.moreCommands, command?.others),
  ];
}

/** The search text in the agent's words, unless it is code. */
export function spokenQuery(call: ReadCall, tongue: LanguageWords): string | undefined {
  return spokenPlainText(call.query, tongue);
}
