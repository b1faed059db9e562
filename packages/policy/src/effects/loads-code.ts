import { LOADING_OPTION, OWN_PROGRAM_FOLDER, PLAIN_PROGRAM, PROGRAM_FOLDER, USUAL_SERVER } from "../catalogue/patterns.ts";
import { loadsWhen } from "../catalogue/variables.ts";
import { isInside } from "../paths.ts";
import type { SimpleCommand } from "../shell/shell-command.ts";
import { isElsewhere } from "./addresses.ts";
import type { TargetContext } from "./target.ts";
import { toTouchedPath } from "./touched-path.ts";

/** Whether a variable with a value makes a command load other code, find other programs or contact other servers. */
export function loadsCode(name: string, value: string, context: TargetContext, command: SimpleCommand): boolean {
  const isOwn = (folder: string) => name !== "PATH" || !/^\.{1,2}(?:\/|$)/.test(folder) || OWN_PROGRAM_FOLDER.test(folder);
  switch (loadsWhen(name)) {
    case "any":
      return name !== "ENV" || /[/.]/.test(value);
    case "options":
      return LOADING_OPTION.test(value);
    case "program":
      return !PLAIN_PROGRAM.test(value);
    case "address":
      return !USUAL_SERVER.test(value) && isElsewhere(value.split(",", 1)[0] ?? "");
    case "folders":
      return value.split(":").some((folder) => !isOwn(folder) || isForeignFolder(folder, context, command));
    default:
      return false;
  }
}

/** Whether a folder is neither in the workspace nor an installation folder. */
function isForeignFolder(folder: string, { roots, home }: TargetContext, { cwd }: SimpleCommand): boolean {
  if (!/[/.]/.test(folder) || /^\$\(|^`/.test(folder)) return false;
  const text = folder.replaceAll(/\$\{?PWD\}?/g, cwd.path ?? ".").replace(/^\$\{?HOME\}?|^~/, home ?? "/home/x");
  if (text.startsWith("$")) return false;
  const { path } = toTouchedPath({ text }, { cwd });
  const isBelowHome = home !== undefined && path !== home && isInside(path, home);
  return !roots.some((root) => isInside(path, root)) && !PROGRAM_FOLDER.test(path) && !isBelowHome;
}
