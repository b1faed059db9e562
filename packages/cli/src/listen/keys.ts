/** The command of a key. */
export type ListenCommandName =
  | "stop"
  | "skip"
  | "repeat"
  | "before"
  | "waiting"
  | "overview"
  | "missed"
  | "faster"
  | "slower"
  | "verbosity"
  | "load"
  | "quiet"
  | "exact"
  | "spelt"
  | "details"
  | "type"
  | "help"
  | "end";

/** A key in a terminal, and a line of input elsewhere. */
export const KEYS: Readonly<Record<string, ListenCommandName>> = {
  " ": "stop",
  s: "stop",
  n: "skip",
  r: "repeat",
  R: "before",
  b: "before",
  w: "waiting",
  o: "overview",
  m: "missed",
  "+": "faster",
  "=": "faster",
  "-": "slower",
  v: "verbosity",
  l: "load",
  q: "quiet",
  e: "exact",
  p: "spelt",
  d: "details",
  t: "type",
  "?": "help",
  h: "help",
  "\u0003": "end",
  "\u0004": "end",
};

export type PressedKey =
  | { readonly kind: "command"; readonly command: ListenCommandName }
  | { readonly kind: "number"; readonly number: number };

/** Undefined for a key without a function. */
export function readKey(key: string): PressedKey | undefined {
  if (/^[1-9]$/.test(key)) return { kind: "number", number: Number(key) };
  const command = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
  return command === undefined ? undefined : { kind: "command", command };
}

/** A piped line: one key, or a command's name. */
export function readLine(line: string): PressedKey | undefined {
  const word = line.trim();
  const named = Object.values(KEYS).find((command) => command === word.toLowerCase());
  return named === undefined ? readKey(word) : { kind: "command", command: named };
}
