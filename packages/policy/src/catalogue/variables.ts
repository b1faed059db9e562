import { nameSet, namesLike, oneWordOf } from "./names.ts";
import rows from "./variables.json" with { type: "json" };

/** Variables whose value a later program runs as a command line. */
export const TEXT_VARIABLES = nameSet("variables with a command");

const LOADERS = rows.map(({ names, when, ignoreCase = false }) => ({ when, names: oneWordOf(names, ignoreCase ? "i" : "") }));

/**
 * The condition under which a variable makes a program load other code, find other programs or contact other servers. `folders`: with
 * folders outside the workspace and the installation folders. `options`: with options that load code. `program`: unless the program
 * shows, edits or connects. `address`: with an address elsewhere. `any`: always.
 */
export function loadsWhen(variable: string): string | undefined {
  return LOADERS.find(({ names }) => names.test(variable))?.when;
}

/** Variables that give an agent other settings and therefore other hooks. */
export const AGENT_HOMES = namesLike("homes of agents");

/** Variables that change a program's appearance or verbosity, but not what it runs. */
export const HARMLESS_VARIABLES = namesLike("harmless variables");

/** Shell variables by convention: variables that programs read are uppercase. */
export const OWN_VARIABLES = /^(?!npm_config_|.*_proxy$|cdpath$|prompt|path$|manpath$|fpath$)[a-z][a-z0-9_]*$/;
