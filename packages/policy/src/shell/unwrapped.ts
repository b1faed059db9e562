import type { ShellAssignment, ShellInput, ShellWord, WrapperKind } from "./shell-command.ts";

/** Everything that a command starts besides, or instead of, its own action. */
export interface Unwrapped {
  readonly inner: readonly Inner[];
  /** Whether the command has an action of its own as well. */
  readonly itself: boolean;
  /** Why the command that it starts is unknown. */
  readonly why?: string;
}

export type Inner =
  | { readonly words: readonly ShellWord[]; readonly kind: WrapperKind; readonly assignments?: readonly ShellAssignment[] }
  /** A text that a shell reads. With `here`, the current shell reads it: its variables are known and may change. */
  | { readonly text: ShellWord; readonly kind: WrapperKind; readonly here?: boolean };

/** Undefined for a program that starts no other visible program. */
export type Unwrapper = (words: readonly ShellWord[], input: ShellInput | undefined) => Unwrapped | undefined;

export function opaque(why: string): Unwrapped {
  return { inner: [], itself: true, why };
}

/** The command starts these instead of acting itself; with none it starts nothing. */
export function starts(...inner: readonly Inner[]): Unwrapped {
  return { inner, itself: false };
}

/** The command acts itself and also starts these. */
export function alsoStarts(inner: readonly Inner[]): Unwrapped | undefined {
  return inner.length === 0 ? undefined : { inner, itself: true };
}
