import type { Risk } from "../behaviour.ts";
import type { TargetKind } from "./target.ts";

/** Something known to do harm. The catalogue is data: an id is part of the policy language and is never reused. */
export interface Danger {
  readonly id: string;
  /** What it does, for the person who is asked. */
  readonly sentence: string;
  /** A command that is one. */
  readonly example: string;
  /** A command that looks like one, and is none. */
  readonly harmless?: string;
  readonly risk: Risk;
  readonly reversible: boolean;
  readonly forms: readonly DangerForm[];
}

/** One way of doing it: everything that is given must hold. */
export interface DangerForm {
  /** Names of programs; left out for those that `code`, `whole` or `path` find by themselves. */
  readonly programs?: readonly string[];
  /** The first words that are no options, in this order; one of each list. */
  readonly words?: readonly (readonly string[])[];
  /** One of these options. */
  readonly options?: readonly string[];
  /** None of these: with them it only tells what it would do. */
  readonly unless?: readonly string[];
  /** One of the paths it names is of one of these kinds. */
  readonly targets?: readonly TargetKind[];
  /** In the arguments, joined with single spaces. */
  readonly text?: RegExp;
  /** In a program given as text. */
  readonly code?: RegExp;
  /** In the whole shell text. */
  readonly whole?: RegExp;
  /** Letters without which `whole` cannot match: quicker to look for. */
  readonly needs?: string;
  /** What it runs comes out of one of these programs, perhaps through others. */
  readonly fed?: readonly string[];
  /** A path that is written to, or deleted, by a command or by any other tool. `~` is the home folder. */
  readonly path?: RegExp;
}
