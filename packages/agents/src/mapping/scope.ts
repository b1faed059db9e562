import type { JsonValue } from "@earshot/protocol/json";
import type { Cuts } from "./transforms.ts";

/** What the rules look at while one payload is mapped. */
export interface Scope {
  /** The payload, or the element of a list that an attachment is made from. */
  at: JsonValue;
  readonly hook: string | undefined;
  readonly now: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly args: readonly string[];
  readonly warnings: MapWarning[];
  readonly cuts: Cuts;
}

/** A field that could not be filled as its rule says, or an event that had to be completed. */
export interface MapWarning {
  /** The entry's id. */
  readonly entry: string;
  readonly field: string;
  readonly message: string;
}

const MOST_WARNINGS = 100;

export function warn(scope: Scope, warning: MapWarning): void {
  if (scope.warnings.length < MOST_WARNINGS) scope.warnings.push(warning);
}
