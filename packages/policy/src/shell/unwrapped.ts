import type { ShellAssignment, ShellInput, ShellWord, WrapperKind } from "./shell-command.ts";

/** Everything that a command starts besides, or instead of, its own action. */
export interface UnwrappedCommand {
  readonly inner: readonly InnerCommand[];
  /** Whether the command has an action of its own as well. */
  readonly itself: boolean;
  /** Why the command that it starts is unknown. */
  readonly why?: string;
}

export type InnerCommand =
  | { readonly words: readonly ShellWord[]; readonly kind: WrapperKind; readonly assignments?: readonly ShellAssignment[] }
  /** A text that a shell reads. With `here`, the current shell reads it: its variables are known and may change. */
  | { readonly text: ShellWord; readonly kind: WrapperKind; readonly here?: boolean };

/** Undefined for a program that starts no other visible program. */
export type Unwrapper = (words: readonly ShellWord[], input: ShellInput | undefined) => UnwrappedCommand | undefined;

export function opaqueCommand(why: string): UnwrappedCommand {
  return { inner: [], itself: true, why };
}

/** The command starts these instead of acting itself; with none it starts nothing. */
export function startsInner(...inner: readonly InnerCommand[]): UnwrappedCommand {
  return { inner, itself: false };
}

/** The command acts itself and also starts these. */
export function alsoStartsInner(inner: readonly InnerCommand[]): UnwrappedCommand | undefined {
  return inner.length === 0 ? undefined : { inner, itself: true };
}
