import type { Assignment } from "unbash";
import { resolvePath } from "../paths.ts";
import { SETTERS } from "./assigned-names.ts";
import { expandToText, type WordContext } from "./expand-word.ts";
import { forgetAll, type Scope } from "./scope.ts";
import { HOLE, isExact, type ShellWord } from "./shell-command.ts";

const LONGEST_CONSTANT = 4096;

/** The value of an assignment; kept as a constant when it is one that stays. */
export function assignVariable(assignment: Assignment, context: WordContext, stays: boolean): ShellWord {
  const { name, value, append, index } = assignment;
  const constant = value.type === "Word" && append !== true && index === undefined;
  const word = constant ? expandToText(value, context) : { text: value.type === "Word" ? value.text : "(…)", shape: HOLE };
  const { variables } = context.scope;
  // One that was forgotten once is set in several places: it stays unknown.
  const kept = constant && variables.get(name) !== null && word.text.length <= LONGEST_CONSTANT;
  if (stays && name !== "") variables.set(name, kept ? word : null);
  return word;
}

/** What a builtin changes for the commands after it. */
export function applyBuiltin(name: string, words: readonly ShellWord[], scope: Scope, home: string | undefined): void {
  if (name === "cd" || name === "pushd") changeFolder(words, scope, home);
  else if (name === "popd") scope.cwd = { path: undefined, sure: false };
  else if (name === "source" || name === ".") forgetAll(scope);
  else if (SETTERS.has(name)) setVariables(name, words, scope);
}

function setVariables(name: string, words: readonly ShellWord[], scope: Scope): void {
  const options = words.filter(({ text }) => text.startsWith("-")).map(({ text }) => text);
  // A reference: from here on one name may stand for another.
  if (/^(?:declare|typeset|local)$/.test(name) && options.some((text) => text.includes("n"))) {
    forgetAll(scope);
    return;
  }
  const keeps = /^(?:declare|typeset|local|export|readonly)$/.test(name) && options.every((text) => /^-[gprxt]+$/.test(text));
  for (const word of words.slice(1)) {
    const [, variable, value] = /^([A-Za-z_]\w*)(?:=([\s\S]*))?$/.exec(word.text) ?? [];
    if (variable === undefined) continue;
    const isConstant = keeps && value !== undefined && isExact(word) && scope.variables.get(variable) !== null;
    if (isConstant) scope.variables.set(variable, { text: value });
    else if (!keeps || value !== undefined) scope.variables.set(variable, null);
  }
}

function changeFolder(words: readonly ShellWord[], scope: Scope, home: string | undefined): void {
  const operands = words.slice(1).filter(({ text }) => !/^(?:-[PLe@]+|--)$/.test(text));
  const [target] = operands;
  scope.moved = true;
  if (target === undefined) scope.cwd = { path: home, sure: scope.cwd.sure && home !== undefined };
  else if (!isExact(target) || target.text === "-") scope.cwd = { path: undefined, sure: false };
  else {
    const path = resolvePath(target.text, scope.cwd.path);
    scope.cwd = { path, sure: scope.cwd.sure && path !== undefined };
  }
}
