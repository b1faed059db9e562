import { EarshotError } from "@earshot/protocol/problem";

/** The error for invalid command-line arguments. */
export function createUsageError(message: string, hint: string): EarshotError {
  return new EarshotError({ code: "WRONG_USAGE", message, hint });
}

export function requireOneOf<const Choice extends string>(option: string, value: string, choices: readonly Choice[]): Choice {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw createUsageError(`${option} cannot be ${JSON.stringify(value)}.`, `Choose one of ${choices.join(", ")}.`);
  return found;
}
