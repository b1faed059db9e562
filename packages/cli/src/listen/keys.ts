/** What a key asks for. */
export type Command =
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

/** Each is a key in a terminal, and a line of its own elsewhere. */
export const KEYS: Readonly<Record<string, Command>> = {
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

export type Pressed = { readonly kind: "command"; readonly command: Command } | { readonly kind: "number"; readonly number: number };

/** Undefined for a key that means nothing. */
export function readKey(key: string): Pressed | undefined {
  if (/^[1-9]$/.test(key)) return { kind: "number", number: Number(key) };
  const command = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
  return command === undefined ? undefined : { kind: "command", command };
}

/** A line that was piped in: one key, or the name of what it asks for. */
export function readLine(line: string): Pressed | undefined {
  const word = line.trim();
  const named = Object.values(KEYS).find((command) => command === word.toLowerCase());
  return named === undefined ? readKey(word) : { kind: "command", command: named };
}
