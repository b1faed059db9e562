import { readOptions } from "./options.ts";
import { isExact, type ShellInput, type ShellWord, type SimpleCommand, UNKNOWN_PART, UNKNOWN_TEXT } from "./shell-command.ts";
import { alsoStartsInner, type InnerCommand, opaqueCommand, startsInner, type UnwrappedCommand } from "./unwrapped.ts";

const XARGS = {
  flags: "0oprtx",
  values: "IJLnPRsSdEaeil",
  long: "--null --no-run-if-empty --verbose --interactive --exit --open-tty --show-limits --replace --max-lines --eof",
  longValues: "--arg-file --delimiter --max-args --max-procs --max-chars",
} as const;

/** Further words come from the standard input; what they are is known as far as the preceding program's listing is known. */
export function unwrapXargs(words: readonly ShellWord[], input: ShellInput | undefined): UnwrappedCommand | undefined {
  // `-i`, `-l` and `-e` take a value only when it is attached.
  const plain = words.map((word) => (/^-[ile]$/.test(word.text) ? { text: "-r" } : word));
  const options = readOptions(plain, 1, XARGS);
  if (!options.ok) return opaqueCommand(`what \`xargs\` starts cannot be told: ${options.why}`);
  const command = words.slice(options.operand);
  if (command.length === 0) return undefined;
  const braces = words.some(({ text }) => text === "-i" || text === "--replace") ? "{}" : "";
  const [marker = braces] = ["-I", "-i", "--replace"].flatMap((option) => options.seen.get(option)?.text ?? []);
  const listed = input?.kind === "pipe" ? listedPaths(input.from) : UNKNOWN_PART;
  const filled = marker === "" ? [...command, { text: "…", shape: listed }] : fill(command, marker, listed);
  return startsInner({ words: filled, kind: "supplied" });
}

/** `find` reads, and may start a program for its results, which are below the folders it searches. */
export function unwrapFind(words: readonly ShellWord[]): UnwrappedCommand | undefined {
  const inner: InnerCommand[] = [];
  const found = foundPaths(words);
  for (let index = 1; index < words.length; index++) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(words[index]?.text ?? "")) continue;
    const end = words.findIndex(({ text }, at) => at > index && (text === ";" || (text === "+" && words[at - 1]?.text === "{}")));
    const command = words.slice(index + 1, end < 0 ? words.length : end);
    if (command.length > 0) inner.push({ words: fill(command, "{}", found), kind: "supplied" });
    if (end < 0) break;
    index = end;
  }
  return alsoStartsInner(inner);
}

export function unwrapFd(words: readonly ShellWord[]): UnwrappedCommand | undefined {
  const at = words.findIndex(({ text }) => /^(?:-[xX]|--exec|--exec-batch)$/.test(text));
  if (at < 0) return undefined;
  const command = words.slice(at + 1).map((word) => (/\{[^{\n]*\}/.test(word.text) ? { text: word.text, shape: UNKNOWN_PART } : word));
  return alsoStartsInner([{ words: [...command, { text: "{}", shape: UNKNOWN_PART }], kind: "supplied" }]);
}

/** The words, with the shape of the listed paths in place of a marker. */
function fill(words: readonly ShellWord[], marker: string, listed: string): readonly ShellWord[] {
  return words.map((word) => {
    const { text, shape = text } = word;
    return text.includes(marker) ? { text, shape: shape.replaceAll(marker, listed) } : word;
  });
}

/** The shape of the paths that a search finds: below its folder, with the name it searches for. */
function foundPaths(words: readonly ShellWord[]): string {
  const texts = words.map(({ text }) => text);
  const end = texts.findIndex((text, index) => index > 0 && (text.startsWith("-") || text === "!" || text === "("));
  const [root = { text: "." }, ...others] = words.slice(1, end < 0 ? words.length : end);
  if (others.length > 0 || !isExact(root)) return UNKNOWN_PART;
  const names = texts.flatMap((text, index) => (/^-i?name$/.test(text) ? [texts[index + 1] ?? ""] : []));
  const folder = root.text.replace(/(?<!\/)\/+$/, "");
  const isPlain = names.length === 1 && !texts.some((text) => /^(?:!|-not|-o|-or)$/.test(text));
  return isPlain
    ? `${folder}/${UNKNOWN_PART}/${names[0]?.replaceAll(/[*?]|\[[^\]]{0,1000}\]/g, UNKNOWN_TEXT)}`
    : `${folder}/${UNKNOWN_PART}`;
}

/** The shape of the paths that a command prints, one per line; a hole if the command does not list files. */
function listedPaths([first, ...others]: readonly SimpleCommand[]): string {
  if (first === undefined || !others.every(({ name }) => /^(?:grep|egrep|rg|sort|uniq|head|tail|awk|sed|tr|xargs)$/.test(name)))
    return UNKNOWN_PART;
  const { name, words } = first;
  if (name === "find") return foundPaths(words);
  if (name === "git" && words.some(({ text }) => /^(?:ls-files|diff|grep|show|diff-tree)$/.test(text))) return `./${UNKNOWN_PART}`;
  if (/^(?:grep|egrep|rg|ag|fd)$/.test(name) && words.every(({ text }) => !/^[~/]|^\.\./.test(text))) return `./${UNKNOWN_PART}`;
  return name === "ls" && words.length === 1 ? `./${UNKNOWN_TEXT}` : UNKNOWN_PART;
}
