import { readOptions } from "./options.ts";
import { HOLE, type ShellWord } from "./shell-command.ts";
import type { Inner, Unwrapped } from "./unwrapped.ts";

const XARGS = {
  flags: "0oprtx",
  values: "IJLnPRsSdEaeil",
  long: [
    "--null",
    "--no-run-if-empty",
    "--verbose",
    "--interactive",
    "--exit",
    "--open-tty",
    "--show-limits",
    "--replace",
    "--max-lines",
    "--eof",
  ],
  longValues: ["--arg-file", "--delimiter", "--max-args", "--max-procs", "--max-chars"],
} as const;

/** Further words, which nobody knows before, come in from the standard input. */
export function unwrapXargs(words: readonly ShellWord[]): Unwrapped | undefined {
  // `-i`, `-l` and `-e` take a value only when it is attached.
  const plain = words.map((word) => (/^-[ile]$/.test(word.text) ? { text: "-r" } : word));
  const options = readOptions(plain, 1, XARGS);
  if (!options.ok) return { inner: [], itself: true, why: `what \`xargs\` starts cannot be told: ${options.why}` };
  const command = words.slice(options.operand);
  if (command.length === 0) return undefined;
  const braces = words.some(({ text }) => text === "-i" || text === "--replace") ? "{}" : undefined;
  const marker = options.seen.get("-I")?.text ?? options.seen.get("-i")?.text ?? options.seen.get("--replace")?.text ?? braces;
  const filled =
    marker === undefined || marker === ""
      ? [...command, { text: "…", shape: HOLE }]
      : command.map((word) => (word.text.includes(marker) ? fill(word, marker) : word));
  return { inner: [{ words: filled, kind: "supplied" }], itself: false };
}

/** `find` looks, and starts a program for what it found; what that is lies under the folders it looks in. */
export function unwrapFind(words: readonly ShellWord[]): Unwrapped | undefined {
  const inner: Inner[] = [];
  for (let index = 1; index < words.length; index++) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(words[index]?.text ?? "")) continue;
    const end = words.findIndex(({ text }, at) => at > index && (text === ";" || (text === "+" && words[at - 1]?.text === "{}")));
    const command = words.slice(index + 1, end < 0 ? words.length : end);
    if (command.length > 0) {
      inner.push({ words: command.map((word) => (word.text.includes("{}") ? fill(word, "{}") : word)), kind: "supplied" });
    }
    if (end < 0) break;
    index = end;
  }
  return inner.length === 0 ? undefined : { inner, itself: true };
}

function fill(word: ShellWord, marker: string): ShellWord {
  return { text: word.text, shape: (word.shape ?? word.text).replaceAll(marker, HOLE) };
}
