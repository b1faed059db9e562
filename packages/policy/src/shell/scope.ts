import { type Assignment, forEachChild, type SyntaxNode } from "unbash";
import { nameSet } from "../catalogue/names.ts";
import { resolvePath } from "../paths.ts";
import { expandToText, type WordContext } from "./expand-word.ts";
import { isExact, type ShellInput, type ShellWord, UNKNOWN_PART, type WorkingFolder } from "./shell-command.ts";

/**
 * The known state at one point of a shell text: constants, the working folder, standard input. If several paths lead to a point, values
 * on which they disagree are forgotten.
 */
export interface ShellScope {
  /** Constants; null means that the variable was set to an unknown value. */
  readonly variables: Map<string, ShellWord | null>;
  cwd: WorkingFolder;
  /** A `cd` ran in the current and-or list: it is certain for the commands after its `&&`, not for the next line. */
  moved: boolean;
  input: ShellInput | undefined;
}

const LONGEST_CONSTANT = 4096;
/** Builtins that set the variables they name. */
const SETTERS = nameSet("setters");
const UNKNOWN_FOLDER: WorkingFolder = { path: undefined, sure: false };

export function createScope(cwd: string | undefined): ShellScope {
  return { variables: new Map(), cwd: { path: cwd, sure: true }, moved: false, input: undefined };
}

export function forkScope(scope: ShellScope): ShellScope {
  return { ...scope, variables: new Map(scope.variables) };
}

/** The scope of a shell that this one starts. It inherits exported variables, and which ones are exported is not tracked here. */
export function freshScope({ variables, cwd }: ShellScope): ShellScope {
  const scope: ShellScope = { ...createScope(undefined), cwd };
  if (variables.has("HOME")) scope.variables.set("HOME", null);
  return scope;
}

/** Forgets what a part may have changed that runs conditionally, repeatedly or elsewhere. */
export function forgetNames(scope: ShellScope, names: Iterable<string>): void {
  for (const name of names) scope.variables.set(name, null);
}

/** Forgets everything, because a file was sourced or a reference was declared. */
export function forgetEverything(scope: ShellScope): void {
  forgetNames(scope, [...scope.variables.keys(), "HOME", "PWD"]);
}

/** Every variable that a node may set: in a loop, a branch or a function, its value is not a constant. */
export function assignedNames(node: SyntaxNode, names: Set<string> = new Set()): ReadonlySet<string> {
  const isName = (text: string) => /^[A-Za-z_]\w*$/.test(text);
  if (node.type === "Assignment") names.add(node.name);
  else if (node.type === "For" || node.type === "Select") names.add(node.name.value);
  else if (node.type === "Command" && SETTERS.has(node.name?.value ?? "")) {
    for (const argument of node.args) if (argument.type === "Word" && isName(argument.value)) names.add(argument.value);
  } else if (node.type === "ArithmeticWord" && isName(node.value)) names.add(node.value);
  // Most words contain nothing that could set a variable.
  else if (node.type === "Word" && node.parts === undefined) return names;
  forEachChild(node, (child) => {
    assignedNames(child, names);
  });
  return names;
}

/** The value of an assignment; remembered as a constant if it is one and stays set. */
export function assignVariable({ name, value, append, index }: Assignment, context: WordContext, stays: boolean): ShellWord {
  const constant = value.type === "Word" && append !== true && index === undefined;
  const word = constant ? expandToText(value, context) : { text: value.type === "Word" ? value.text : "(…)", shape: UNKNOWN_PART };
  const { variables } = context.scope;
  // A variable that was forgotten once is set in several places, so it stays unknown.
  const kept = constant && variables.get(name) !== null && word.text.length <= LONGEST_CONSTANT;
  if (stays && name !== "") variables.set(name, kept ? word : null);
  return word;
}

/** Applies a builtin's changes for the commands after it. */
export function applyBuiltin(name: string, words: readonly ShellWord[], scope: ShellScope, home: string | undefined): void {
  if (name === "cd" || name === "pushd") changeFolder(words, scope, home);
  else if (name === "popd") scope.cwd = UNKNOWN_FOLDER;
  else if (name === "source" || name === ".") forgetEverything(scope);
  else if (SETTERS.has(name)) setVariables(name, words, scope);
}

function setVariables(name: string, words: readonly ShellWord[], scope: ShellScope): void {
  const options = words.filter(({ text }) => text.startsWith("-")).map(({ text }) => text);
  // A reference: from here on, one name may be an alias of another.
  if (/^(?:declare|typeset|local)$/.test(name) && options.some((text) => text.includes("n"))) {
    forgetEverything(scope);
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

function changeFolder(words: readonly ShellWord[], scope: ShellScope, home: string | undefined): void {
  const target = words.slice(1).find(({ text }) => !/^(?:-[PLe@]+|--)$/.test(text));
  scope.moved = true;
  if (target !== undefined && (!isExact(target) || target.text === "-")) {
    scope.cwd = UNKNOWN_FOLDER;
    return;
  }
  const path = target === undefined ? home : resolvePath(target.text, scope.cwd.path);
  scope.cwd = { path, sure: scope.cwd.sure && path !== undefined };
}
