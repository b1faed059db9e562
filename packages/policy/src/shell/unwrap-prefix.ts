import type { PrefixWrapper } from "../catalogue/programs.ts";
import { withoutPackageVersion } from "../paths.ts";
import { hasWord, readOptions, valuedOptions } from "./options.ts";
import { isExact, joinWords, type ShellAssignment, type ShellInput, type ShellWord, UNKNOWN_PART } from "./shell-command.ts";
import { opaqueCommand, startsInner, type UnwrappedCommand } from "./unwrapped.ts";

/** A command of a wrapper, which starts the program after its options. */
interface Wrapping {
  readonly name: string;
  readonly form: PrefixWrapper;
  readonly words: readonly ShellWord[];
  readonly input: ShellInput | undefined;
}

type SeenOptions = ReadonlyMap<string, ShellWord | undefined>;

/** The position after the required leading words; the program's own options are skipped. */
export function afterWords(name: string, words: readonly ShellWord[], after: string | undefined): number | undefined {
  let index = 1;
  const withValue = valuedOptions(name);
  for (const choices of after?.split(" ") ?? []) {
    while (words[index]?.text.startsWith("-") === true) index += withValue.has(words[index]?.text ?? "") ? 2 : 1;
    const word = words[index++];
    if (word === undefined || !choices.split("|").includes(word.text)) return undefined;
  }
  return index;
}

export function unwrapPrefix(wrapping: Wrapping, start: number): UnwrappedCommand | undefined {
  const { name, form, words } = wrapping;
  const unclear = (why: string): UnwrappedCommand => opaqueCommand(`what \`${name}\` starts cannot be told: ${why}`);
  const options = readOptions(words, start, form);
  if (!options.ok) return unclear(options.why);
  const seen = new Map(options.seen);
  let { operand } = options;
  for (let skipped = 0; form.scattered === true ? operand < words.length : skipped < (form.skip ?? 0); skipped++) {
    const more = readOptions(words, Math.min(words.length, operand + 1), form);
    if (!more.ok) return unclear(more.why);
    for (const [option, value] of more.seen) seen.set(option, value);
    operand = more.operand;
  }
  // For `env`, a bare dash is one more option.
  if (name === "env" && words[operand]?.text === "-") operand++;
  if (hasSeen(seen, form.tells)) return undefined;
  // Without a host, it is the value of `rsync -e` and starts nothing.
  if (name === "ssh" && options.operand >= words.length) return undefined;
  if (name === "ssh" && /Command|KnownHosts/i.test(seen.get("-o")?.text ?? "")) return unclear("an option names a program");
  const [text] = (form.texts?.split(" ") ?? []).flatMap((option) => seen.get(option) ?? []);
  if (text !== undefined) {
    const whole = name === "env" ? joinTexts([text, ...words.slice(operand)]) : text;
    return startsInner({ text: whole, kind: form.kind === "transparent" ? "text" : form.kind });
  }
  return startRest(wrapping, operand, seen);
}

/** Handles the words after the options: assignments, then the program. */
function startRest({ name, form, words, input }: Wrapping, from: number, seen: SeenOptions): UnwrappedCommand | undefined {
  const assignments: ShellAssignment[] = [];
  for (const word of form.assignments === true ? words.slice(from) : []) {
    const assignment = readAssignment(word);
    if (assignment === undefined) break;
    assignments.push(assignment);
  }
  const rest = words.slice(from + assignments.length);
  const shells = hasSeen(seen, form.shells);
  if (rest.length === 0) {
    const connects = name === "ssh" && hasSeen(seen, "-N -V -G -Q -O");
    if (connects || (form.alone !== "shell" && !shells)) return undefined;
    if (input?.kind === "text") return { ...startsInner({ text: input.word, kind: form.kind }), itself: true };
    return opaqueCommand(`\`${name}\` starts a shell, and what that is told is only known when it runs`);
  }
  const executes = name === "watch" && hasSeen(seen, "-x --exec");
  if (shells || (form.joined === true && !executes)) return startsInner({ text: joinTexts(rest), kind: form.kind });
  return startsInner({ words: form.kind === "runner" ? unversioned(rest) : rest, kind: form.kind, assignments });
}

function hasSeen(seen: SeenOptions, options = ""): boolean {
  return [...seen.keys()].some((option) => hasWord(options, option));
}

/** `npx earshot@1.2.3` runs earshot. */
function unversioned(words: readonly ShellWord[]): readonly ShellWord[] {
  const [first, ...others] = words;
  return first === undefined || !isExact(first) ? words : [{ text: withoutPackageVersion(first.text) }, ...others];
}

function readAssignment(word: ShellWord): ShellAssignment | undefined {
  const [, name, value = ""] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(word.text) ?? [];
  if (name === undefined) return undefined;
  return { name, value: isExact(word) ? { text: value } : { text: value, shape: (word.shape ?? UNKNOWN_PART).slice(name.length + 1) } };
}

export function joinTexts(words: readonly ShellWord[]): ShellWord {
  const text = joinWords(words);
  return words.every(isExact) ? { text } : { text, shape: words.map((word) => word.shape ?? word.text).join(" ") };
}
