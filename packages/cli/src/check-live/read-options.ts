import { EarshotError } from "@earshot/protocol/problem";

export function readLevel(text: string): 1 | 2 | 3 {
  if (text === "1") return 1;
  if (text === "2") return 2;
  if (text === "3") return 3;
  throw usage(`--level cannot be ${JSON.stringify(text)}.`, "Choose one of 1, 2, 3.");
}

const LONGEST_SECONDS = 600;

export function readSeconds(option: string, text: string): number {
  const seconds = Number(text);
  if (text.trim() !== "" && seconds > 0 && seconds <= LONGEST_SECONDS) return seconds;
  throw usage(`${option} cannot be ${JSON.stringify(text)}.`, `Give a number of seconds, up to ${LONGEST_SECONDS}.`);
}

export function usage(message: string, hint: string): EarshotError {
  return new EarshotError({ code: "WRONG_USAGE", message, hint });
}
