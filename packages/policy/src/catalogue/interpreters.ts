import { expandNames } from "./expand-names.ts";
import interpreters from "./interpreters.json" with { type: "json" };

/** A program that takes code in a language other than the shell's. */
export interface Interpreter {
  readonly language: string;
  /** Options whose value is code. A single letter may end a cluster: `perl -ne`. */
  readonly options?: readonly string[];
  /** Subcommands whose first operand is code. */
  readonly words?: readonly string[];
  /** The first operand is code, when no option gives any. */
  readonly first?: boolean;
  /** Operands from here on are code: the second of `sqlite3 file 'select'`. */
  readonly from?: number;
  /** It reads code from the standard input when it is given none. */
  readonly input?: boolean;
  /** Subcommands that read code from the standard input. */
  readonly asks?: readonly string[];
  /** Options whose value is a file with code. */
  readonly files?: readonly string[];
}

export const INTERPRETERS: Readonly<Record<string, Interpreter>> = expandNames<Interpreter>(interpreters);
