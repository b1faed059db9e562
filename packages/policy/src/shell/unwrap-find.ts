import { readOptions } from "./options.ts";
import { HOLE, type Inner, isExact, type ShellInput, type ShellWord, type SimpleCommand, type Unwrapped, WILD } from "./shell-command.ts";

const XARGS = {
  flags: "0oprtx",
  values: "IJLnPRsSdEaeil",
  long: "--null --no-run-if-empty --verbose --interactive --exit --open-tty --show-limits --replace --max-lines --eof",
  longValues: "--arg-file --delimiter --max-args --max-procs --max-chars",
} as const;

/** Further words come in from the standard input: of what they are is known what the program before them lists. */
export function unwrapXargs(words: readonly ShellWord[], input: ShellInput | undefined): Unwrapped | undefined {
  // `-i`, `-l` and `-e` take a value only when it is attached.
  const plain = words.map((word) => (/^-[ile]$/.test(word.text) ? { text: "-r" } : word));
  const options = readOptions(plain, 1, XARGS);
  if (!options.ok) return { inner: [], itself: true, why: `what \`xargs\` starts cannot be told: ${options.why}` };
  const command = words.slice(options.operand);
  if (command.length === 0) return undefined;
  const braces = words.some(({ text }) => text === "-i" || text === "--replace") ? "{}" : undefined;
  const marker = options.seen.get("-I")?.text ?? options.seen.get("-i")?.text ?? options.seen.get("--replace")?.text ?? braces;
  const listed = input?.kind === "pipe" ? listedPaths(input.from) : HOLE;
  const filled =
    marker === undefined || marker === ""
      ? [...command, { text: "…", shape: listed }]
      : command.map((word) => (word.text.includes(marker) ? fill(word, marker, listed) : word));
  return { inner: [{ words: filled, kind: "supplied" }], itself: false };
}

/** `find` looks, and starts a program for what it found; what that is lies under the folders it looks in. */
export function unwrapFind(words: readonly ShellWord[]): Unwrapped | undefined {
  const inner: Inner[] = [];
  const found = foundPaths(words);
  for (let index = 1; index < words.length; index++) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(words[index]?.text ?? "")) continue;
    const end = words.findIndex(({ text }, at) => at > index && (text === ";" || (text === "+" && words[at - 1]?.text === "{}")));
    const command = words.slice(index + 1, end < 0 ? words.length : end);
    if (command.length > 0) {
      inner.push({ words: command.map((word) => (word.text.includes("{}") ? fill(word, "{}", found) : word)), kind: "supplied" });
    }
    if (end < 0) break;
    index = end;
  }
  return inner.length === 0 ? undefined : { inner, itself: true };
}

export function unwrapFd(words: readonly ShellWord[]): Unwrapped | undefined {
  const at = words.findIndex(({ text }) => /^(?:-[xX]|--exec|--exec-batch)$/.test(text));
  if (at < 0) return undefined;
  const command = words.slice(at + 1).map((word) => (/\{.*\}/.test(word.text) ? { text: word.text, shape: HOLE } : word));
  return { inner: [{ words: [...command, { text: "{}", shape: HOLE }], kind: "supplied" }], itself: true };
}

function fill(word: ShellWord, marker: string, listed: string): ShellWord {
  return { text: word.text, shape: (word.shape ?? word.text).replaceAll(marker, listed) };
}

/** The shape of the paths that a search finds: below its folder, with the name it looks for. */
export function foundPaths(words: readonly ShellWord[]): string {
  const texts = words.map(({ text }) => text);
  const end = texts.findIndex((text, index) => index > 0 && (text.startsWith("-") || text === "!" || text === "("));
  const roots = words.slice(1, end < 0 ? words.length : end);
  const [root = { text: "." }] = roots;
  if (roots.length > 1 || !isExact(root)) return HOLE;
  const names = texts.flatMap((text, index) => (/^-i?name$/.test(text) ? [texts[index + 1] ?? ""] : []));
  const [name] = names;
  const isPlain = names.length === 1 && !texts.some((text) => /^(?:!|-not|-o|-or)$/.test(text));
  const wild = isPlain && name !== undefined ? name.replaceAll(/[*?]|\[[^\]]*\]/g, WILD) : HOLE;
  return `${root.text.replace(/(?<!\/)\/+$/, "")}/${isPlain ? `${HOLE}/${wild}` : HOLE}`;
}

/** The shape of the paths that a command prints, one on each line; a hole where it is not one that lists files. */
function listedPaths(commands: readonly SimpleCommand[]): string {
  const [first, ...others] = commands;
  if (first === undefined || !others.every(({ name }) => /^(?:grep|egrep|rg|sort|uniq|head|tail|awk|sed|tr|xargs)$/.test(name)))
    return HOLE;
  const { name, words } = first;
  if (name === "find") return foundPaths(words);
  if (name === "git" && words.some(({ text }) => /^(?:ls-files|diff|grep|show|diff-tree)$/.test(text))) return `./${HOLE}`;
  if (/^(?:grep|egrep|rg|ag|fd)$/.test(name) && words.every(({ text }) => !/^[~/]|^\.\./.test(text))) return `./${HOLE}`;
  return name === "ls" && words.length === 1 ? `./${WILD}` : HOLE;
}
