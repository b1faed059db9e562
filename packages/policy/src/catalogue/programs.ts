import type { PathAccess } from "../asked.ts";
import type { WrapperKind } from "../shell/shell-command.ts";
import interpreters from "./interpreters.json" with { type: "json" };
import { expandNames } from "./names.ts";
import paths from "./paths.json" with { type: "json" };
import wrappers from "./wrappers.json" with { type: "json" };

/** A program that accepts code in a language other than the shell's. */
export interface Interpreter {
  readonly language: string;
  /** Options whose value is code. A single letter may end a cluster: `perl -ne`. */
  readonly options?: readonly string[];
  /** Subcommands whose first operand is code. */
  readonly words?: readonly string[];
  /** The first operand is code if no option gives any. */
  readonly first?: boolean;
  /** Operands from this position on are code: the second of `sqlite3 file 'select'`. */
  readonly from?: number;
  /** It reads code from the standard input if none is given. */
  readonly input?: boolean;
  /** Subcommands that read code from the standard input. */
  readonly asks?: readonly string[];
  /** Options whose value is a file with code. */
  readonly files?: readonly string[];
}

export const INTERPRETERS: Readonly<Record<string, Interpreter>> = expandNames<Interpreter>(interpreters);

/** A program's use of the paths it is given. */
export interface ProgramPaths {
  /** The access to its operands (`none`: they are not paths), and to the last and the first one if that differs. */
  readonly operands: PathAccess | "none";
  readonly last?: PathAccess;
  readonly first?: PathAccess;
  /** Number of leading operands that are not paths, such as a mode, and the options that replace them: `grep -e`. */
  readonly skip?: number;
  readonly skipUnless?: readonly string[];
  /** Without an operand it reads the folder it runs in. */
  readonly here?: boolean;
  /** It descends into the folders it is given: always, or with one of the options. */
  readonly below?: boolean;
  readonly belowWith?: readonly string[];
  /** It only reads unless one of these options is present. */
  readonly readsUnless?: readonly string[];
  /** Options whose value, attached or next, is a path that is written to; and options whose value is not a path. */
  readonly writesTo?: readonly string[];
  readonly values?: readonly string[];
  /** `name=path` operands. */
  readonly named?: Readonly<Record<string, PathAccess>>;
  /** It shows names and sizes, but no file contents. */
  readonly hides?: boolean;
}

export const PROGRAM_PATHS = expandNames(paths.programs) as Readonly<Record<string, ProgramPaths>>;

/** Git subcommands that only read, with the options that make them do more. */
export const GIT_LOOKS: Readonly<Record<string, readonly string[]>> = paths.gitLooks;

/** Other git subcommands that change none of the files they name, or name none. */
export const GIT_PATHS = expandNames(paths.git) as Readonly<Record<string, ProgramPaths>>;

/** A program that starts the program after its options. Lists are strings: letters, or words separated by spaces. */
export interface PrefixWrapper {
  readonly kind: WrapperKind;
  /** Words between the name and the options; `|` separates alternatives: `compose exec|run`. */
  readonly after?: string;
  /** Letters without a value, and letters with one: attached, or the next word. */
  readonly flags?: string;
  readonly values?: string;
  /** Long names without a value, or with one after `=`; and long names whose value may be the next word. */
  readonly long?: string;
  readonly longValues?: string;
  /** `-10` is an option. */
  readonly numbers?: boolean;
  /** Operands before the program: the time of `timeout`, the host of `ssh`. */
  readonly skip?: number;
  /** `NAME=value` words before the program. */
  readonly assignments?: boolean;
  /** Options whose value is a shell text that runs instead. */
  readonly texts?: string;
  /** The words after the operands are joined and read by a shell. */
  readonly joined?: boolean;
  /** Options may occur between and after the operands, and none of the operands is a program. */
  readonly scattered?: boolean;
  /** Options that make it start a shell, and options that make it only print information. */
  readonly shells?: string;
  readonly tells?: string;
  /** The program that runs if none is named. */
  readonly alone?: "nothing" | "shell" | "itself";
}

/** One name may have several forms; the first with a matching `after` counts. */
export const PREFIX_WRAPPERS = expandNames(wrappers.starts) as Readonly<Record<string, readonly PrefixWrapper[]>>;

/** Programs that start others in ways that are not parsed here; with a pattern, only if one of their words fits it. */
export const OPAQUE_WRAPPERS = expandNames<string | readonly string[]>(wrappers.opaque);

/** Programs with an option whose value is a command line. */
export const OPTION_TEXTS: Readonly<Record<string, string>> = expandNames(wrappers.texts);

/** Options before the subcommand that take the next word as their value. */
export const GLOBAL_VALUES: Readonly<Record<string, string>> = expandNames(wrappers.globals);

/** Other programs whose first word is a subcommand. */
export const WITH_SUBCOMMANDS: ReadonlySet<string> = new Set(wrappers.subcommands.split(" "));
