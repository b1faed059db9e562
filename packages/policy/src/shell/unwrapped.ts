import type { ShellAssignment, ShellInput, ShellWord, WrapperKind } from "./shell-command.ts";

/** What a command starts besides, or instead of, itself. */
export interface Unwrapped {
  readonly inner: readonly Inner[];
  /** Whether the command itself does something too. */
  readonly itself: boolean;
  /** Why the command that it starts is unknown. */
  readonly why?: string;
}

export type Inner =
  | { readonly words: readonly ShellWord[]; readonly kind: WrapperKind; readonly assignments?: readonly ShellAssignment[] }
  /** A text that a shell reads. `here` is this very shell: its variables are known and may change. */
  | { readonly text: ShellWord; readonly kind: WrapperKind; readonly here?: boolean };

/** Undefined for a program that starts no other that one could see. */
export type Unwrapper = (words: readonly ShellWord[], input: ShellInput | undefined) => Unwrapped | undefined;

export function opaque(why: string): Unwrapped {
  return { inner: [], itself: true, why };
}

/** The command starts this one instead of doing something itself; with none it starts nothing. */
export function starts(...inner: readonly Inner[]): Unwrapped {
  return { inner, itself: false };
}

/** The command does something itself, and starts these. */
export function alsoStarts(inner: readonly Inner[]): Unwrapped | undefined {
  return inner.length === 0 ? undefined : { inner, itself: true };
}
