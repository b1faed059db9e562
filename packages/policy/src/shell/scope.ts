import type { ShellInput, ShellWord, WorkingFolder } from "./shell-command.ts";

/**
 * What is known at one point of a shell text: constants, the working folder, what flows into standard input. Wherever more
 * than one way leads to a point, what the ways disagree on is forgotten.
 */
export interface Scope {
  /** Constants; null is a variable that was set to something unknown. */
  readonly variables: Map<string, ShellWord | null>;
  cwd: WorkingFolder;
  /** A `cd` in the running and-or list: sure for the commands after its `&&`, not for the next line. */
  moved: boolean;
  input: ShellInput | undefined;
}

export function createScope(cwd: string | undefined): Scope {
  return { variables: new Map(), cwd: { path: cwd, sure: true }, moved: false, input: undefined };
}

export function forkScope(scope: Scope): Scope {
  return { ...scope, variables: new Map(scope.variables) };
}

/** Of a shell that is started by this one: it knows what was exported, and nobody here knows what that is. */
export function freshScope({ variables, cwd }: Scope): Scope {
  const scope: Scope = { ...createScope(undefined), cwd };
  if (variables.has("HOME")) scope.variables.set("HOME", null);
  return scope;
}

/** Forgets what a part may have changed that runs perhaps, several times, or elsewhere. */
export function forget(scope: Scope, names: Iterable<string>): void {
  for (const name of names) scope.variables.set(name, null);
}

/** Nothing is known any more: a file was sourced, a reference was declared. */
export function forgetAll(scope: Scope): void {
  for (const name of scope.variables.keys()) scope.variables.set(name, null);
  scope.variables.set("HOME", null);
  scope.variables.set("PWD", null);
}
