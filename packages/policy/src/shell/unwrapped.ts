import type { ShellAssignment, ShellWord, WrapperKind } from "./shell-command.ts";

/** What a command starts besides, or instead of, itself. */
export interface Unwrapped {
  readonly inner: readonly Inner[];
  /** Whether the command itself does something too. */
  readonly itself: boolean;
  /** Why nobody can say what it starts. */
  readonly why?: string;
}

export type Inner =
  | { readonly words: readonly ShellWord[]; readonly kind: WrapperKind; readonly assignments?: readonly ShellAssignment[] }
  /** A text that a shell reads. `here` is this very shell: its variables are known and may change. */
  | { readonly text: ShellWord; readonly kind: WrapperKind; readonly here?: boolean };
