import type { WrapperKind } from "../shell/shell-command.ts";
import { expandNames } from "./expand-names.ts";
import wrappers from "./wrappers.json" with { type: "json" };

/** A program that starts the program after its options. Lists are texts: letters, or words with spaces between them. */
export interface PrefixWrapper {
  readonly kind: WrapperKind;
  /** Words that stand between the name and the options, with `|` between those of which one is enough: `compose exec|run`. */
  readonly after?: string;
  /** One letter each, without a value; and with one: attached, or the next word. */
  readonly flags?: string;
  readonly values?: string;
  /** Long names without a value, or with one after `=`; and those whose value may be the next word. */
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
  /** Options may stand between and after the operands, and none of these is a program. */
  readonly scattered?: boolean;
  /** Options that make it start a shell, or read the words with one. */
  readonly shells?: string;
  /** Options with which it only tells something. */
  readonly tells?: string;
  /** What runs when there is no program. */
  readonly alone?: "nothing" | "shell" | "itself";
}

/** One name may have several forms: the first whose `after` fits counts. */
export const PREFIX_WRAPPERS = expandNames(wrappers.starts) as Readonly<Record<string, readonly PrefixWrapper[]>>;

/** Programs that start other programs in ways that are not parsed here. */
export const OPAQUE_WRAPPERS: Readonly<Record<string, string>> = expandNames(wrappers.opaque);

/** Programs of which an option's value is a command line. */
export const OPTION_TEXTS: Readonly<Record<string, string>> = expandNames(wrappers.texts);

/** Options before the subcommand whose value is the next word. */
export const GLOBAL_VALUES: Readonly<Record<string, string>> = expandNames(wrappers.globals);

/** Other programs whose first word is a subcommand. */
export const WITH_SUBCOMMANDS: ReadonlySet<string> = new Set(wrappers.subcommands.split(" "));
