import { KNOWN_OUTPUT, TMUX_LOOKS } from "../catalogue/patterns.ts";
import { OPAQUE_WRAPPERS, OPTION_TEXTS, PREFIX_WRAPPERS, type PrefixWrapper } from "../catalogue/wrappers.ts";
import { basename } from "../paths.ts";
import { includes, readOptions, valuedOptions } from "./options.ts";
import { HOLE, type Inner, isExact, type ShellAssignment, type ShellInput, type ShellWord, type Unwrapped } from "./shell-command.ts";
import { unwrapFd, unwrapFind, unwrapXargs } from "./unwrap-find.ts";
import { unwrapGit } from "./unwrap-git.ts";
import { isShell, unwrapShell } from "./unwrap-shell.ts";

/** Undefined for a program that starts no other that one could see. */
export function unwrap(name: string, words: readonly ShellWord[], input: ShellInput | undefined): Unwrapped | undefined {
  if (isShell(name)) return unwrapShell(name, words, input);
  if (Object.hasOwn(SPECIAL, name)) return SPECIAL[name]?.(words, input);
  if (Object.hasOwn(OPAQUE_WRAPPERS, name))
    return words.slice(1).every(({ text }) => /^-(?:l|ls|list|-list|V|v|-version|-help|h)$/.test(text)) && words.length > 1
      ? undefined
      : opaque(`\`${name}\` ${OPAQUE_WRAPPERS[name]}`);
  if (Object.hasOwn(PREFIX_WRAPPERS, name)) {
    for (const form of PREFIX_WRAPPERS[name] ?? []) {
      const start = afterWords(name, words, form.after);
      if (start !== undefined) return unwrapPrefix(name, form, words, start, input);
    }
  }
  if (/^(?:pnpm|yarn)$/.test(name)) return unwrapScript(words);
  return /^python[\d.]*$|^py$/.test(name) ? unwrapPython(words) : optionTexts(name, words);
}

function opaque(why: string): Unwrapped {
  return { inner: [], itself: true, why };
}

type Unwrapper = (words: readonly ShellWord[], input: ShellInput | undefined) => Unwrapped | undefined;

const SPECIAL: Readonly<Record<string, Unwrapper>> = {
  eval: (words) => {
    const text = joinTexts(words.slice(1));
    return words.length < 2 || KNOWN_OUTPUT.test(text.text) ? undefined : { inner: [{ text, kind: "text", here: true }], itself: false };
  },
  trap: (words) => {
    const [action, ...signals] = words.slice(words[1]?.text === "--" ? 2 : 1);
    if (action === undefined || signals.length === 0 || action.text === "-" || action.text === "") return undefined;
    return { inner: [{ text: action, kind: "text", here: true }], itself: false };
  },
  source: unwrapSource,
  ".": unwrapSource,
  alias: (words) =>
    words.length > 1 && words.some(({ text }) => text.includes("=")) ? opaque("an alias changes what later words mean") : undefined,
  hash: (words) => changesWords(words, /^-\w*p/),
  enable: (words) => changesWords(words, /^-\w*[fn]/),
  xargs: unwrapXargs,
  find: unwrapFind,
  fd: unwrapFd,
  fdfind: unwrapFd,
  git: (words) => unwrapGit(words, optionTexts("git", words)),
  tmux: unwrapTmux,
  vim: unwrapEditor,
  nvim: unwrapEditor,
  vi: unwrapEditor,
  view: unwrapEditor,
  ex: unwrapEditor,
  ed: () => opaque("`ed` runs the commands it is given"),
  emacs: unwrapEditor,
  less: (words) => (words.some(({ text }) => /^\++.*!/.test(text)) ? opaque("`less` runs the commands it is given") : undefined),
  node: unwrapScript,
  nodejs: unwrapScript,
  bun: (words) => unwrapScript(words) ?? unwrapByForm("bun", words),
  php: (words) => unwrapFramework(words, "artisan"),
  ruby: (words) => unwrapFramework(words, "rails"),
  make: unwrapMake,
  gmake: unwrapMake,
};

function changesWords(words: readonly ShellWord[], option: RegExp): Unwrapped | undefined {
  if (!words.some(({ text }) => option.test(text))) return undefined;
  return opaque(`\`${words[0]?.text}\` changes what later words mean`);
}

function unwrapSource(words: readonly ShellWord[]): Unwrapped | undefined {
  const [, file] = words;
  if (file === undefined) return undefined;
  if (isExact(file) && file.text !== "/dev/stdin") return undefined;
  return opaque(`\`${words[0]?.text}\` runs a text that is only known when it runs`);
}

function unwrapTmux(words: readonly ShellWord[]): Unwrapped | undefined {
  if (words.slice(1).some(({ text }) => TMUX_LOOKS.test(text)) && !words.some(({ text }) => text === ";")) return undefined;
  const opens = words
    .slice(1)
    .every(({ text }, index) => /^(?:new|new-session|-[sdnADP]+)$/.test(text) || /^-[snct]$/.test(words[index]?.text ?? ""));
  return opens ? undefined : opaque("`tmux` types into, or starts, programs in another terminal");
}

function unwrapEditor(words: readonly ShellWord[]): Unwrapped | undefined {
  const runs = words.slice(1).some(({ text }) => /^(?:-c|--cmd|-S|-s|-e|-es|--eval|-f|--funcall|--load|-l|--script|\+.+)$/.test(text));
  return runs ? opaque(`\`${words[0]?.text}\` runs the editor commands it is given`) : undefined;
}

/** Our own command, started by the path of its file. */
function unwrapScript(words: readonly ShellWord[]): Unwrapped | undefined {
  const at = words.findIndex(({ text }, index) => index > 0 && /(?:^|[\\/])earshot(?:\.[cm]?js)?$/.test(text));
  if (at < 0 || words.slice(1, at).some(({ text }) => !text.startsWith("-"))) return undefined;
  return { inner: [{ words: [{ text: "earshot" }, ...words.slice(at + 1)], kind: "runner" }], itself: true };
}

/** `python -m twine` runs twine, `python manage.py` the framework's own commands. */
function unwrapPython(words: readonly ShellWord[]): Unwrapped | undefined {
  const at = words.findIndex(({ text }, index) => index > 0 && (text === "-m" || !text.startsWith("-")));
  const module = words[at + 1];
  if (words[at]?.text !== "-m") return unwrapFramework(words, "manage.py");
  if (module === undefined || !isExact(module)) return undefined;
  return { inner: [{ words: words.slice(at + 1), kind: "runner" }], itself: false };
}

/** `php artisan`, `ruby bin/rails`: what follows the script is what is done. */
function unwrapFramework(words: readonly ShellWord[], script: string): Unwrapped | undefined {
  const at = words.findIndex(({ text }, index) => index > 0 && !text.startsWith("-"));
  if (at < 0 || basename(words[at]?.text ?? "") !== script) return undefined;
  return { inner: [{ words: [{ text: script }, ...words.slice(at + 1)], kind: "runner" }], itself: false };
}

/** `make SHELL=…` and `make --eval=…` run what stands on the command line. */
function unwrapMake(words: readonly ShellWord[]): Unwrapped | undefined {
  const all = joinTexts(words).text;
  const fromInput = /(?:^| )(?:-f ?|--file[= ]|--makefile[= ])(?:-|\/dev\/stdin)(?: |$)/.test(all) ? words[0] : undefined;
  const runs = fromInput ?? words.find(({ text }) => /^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS|CC|CXX|LD)=|^--eval\b|^-E$/.test(text));
  return runs === undefined ? undefined : opaque(`make is told on its command line what to run: \`${runs.text}\``);
}

function unwrapByForm(name: string, words: readonly ShellWord[]): Unwrapped | undefined {
  const [form] = PREFIX_WRAPPERS[name] ?? [];
  const start = form === undefined ? undefined : afterWords(name, words, form.after);
  return form === undefined || start === undefined ? undefined : unwrapPrefix(name, form, words, start, undefined);
}

function unwrapPrefix(
  name: string,
  form: PrefixWrapper,
  words: readonly ShellWord[],
  start: number,
  input: ShellInput | undefined,
): Unwrapped | undefined {
  const unclear = (why: string): Unwrapped => opaque(`what \`${name}\` starts cannot be told: ${why}`);
  const options = readOptions(words, start, form);
  if (!options.ok) return unclear(options.why);
  const seen = new Map(options.seen);
  const sees = (list: string | undefined) => [...seen.keys()].some((option) => includes(list ?? "", option));
  let { operand } = options;
  for (let skipped = 0; form.scattered === true ? operand < words.length : skipped < (form.skip ?? 0); skipped++) {
    const more = readOptions(words, Math.min(words.length, operand + 1), form);
    if (!more.ok) return unclear(more.why);
    for (const [option, value] of more.seen) seen.set(option, value);
    operand = more.operand;
  }
  // A bare dash is one more option to `env`.
  if (name === "env" && words[operand]?.text === "-") operand++;
  if (sees(form.tells)) return undefined;
  // Without a host it is what `rsync -e` takes, and starts nothing.
  if (name === "ssh" && options.operand >= words.length) return undefined;
  if (name === "ssh" && /Command|KnownHosts/i.test(seen.get("-o")?.text ?? "")) return unclear("an option names a program");
  for (const option of form.texts?.split(" ") ?? []) {
    const text = seen.get(option);
    if (text === undefined) continue;
    const rest = name === "env" ? joinTexts([text, ...words.slice(operand)]) : text;
    return { inner: [{ text: rest, kind: form.kind === "transparent" ? "text" : form.kind }], itself: false };
  }
  const assignments: ShellAssignment[] = [];
  while (form.assignments === true) {
    const assignment = readAssignment(words[operand]);
    if (assignment === undefined) break;
    assignments.push(assignment);
    operand++;
  }
  const rest = words.slice(operand);
  const shells = sees(form.shells);
  if (rest.length === 0) return alone(name, form, { seen, shells }, input);
  const executes = name === "watch" && (seen.has("-x") || seen.has("--exec"));
  if (shells || (form.joined === true && !executes)) return { inner: [{ text: joinTexts(rest), kind: form.kind }], itself: false };
  const program = form.kind === "runner" ? withoutVersion(rest) : rest;
  return { inner: [{ words: program, kind: form.kind, assignments }], itself: false };
}

/** `npx earshot@1.2.3` runs earshot. */
function withoutVersion([first, ...others]: readonly ShellWord[]): readonly ShellWord[] {
  if (first === undefined || !isExact(first)) return first === undefined ? [] : [first, ...others];
  return [{ text: first.text.replace(/(?<=.)@[^/]*$/, "") }, ...others];
}

/** There is no program among the words. */
function alone(
  name: string,
  form: PrefixWrapper,
  { seen, shells }: { readonly seen: ReadonlyMap<string, unknown>; readonly shells: boolean },
  input: ShellInput | undefined,
): Unwrapped | undefined {
  if (name === "ssh" && ["-N", "-V", "-G", "-Q", "-O"].some((option) => seen.has(option))) return undefined;
  if (form.alone !== "shell" && !shells) return undefined;
  if (input?.kind === "text") return { inner: [{ text: input.word, kind: form.kind }], itself: true };
  return opaque(`\`${name}\` starts a shell, and what that is told is only known when it runs`);
}

/** Options of an ordinary program whose value is a command line: `rsync -e 'ssh -p 22'`. */
function optionTexts(name: string, words: readonly ShellWord[]): Unwrapped | undefined {
  const options = Object.hasOwn(OPTION_TEXTS, name) ? OPTION_TEXTS[name] : undefined;
  if (options === undefined || !words.some(({ text }) => text.startsWith("-"))) return undefined;
  const inner: Inner[] = [];
  for (const [index, word] of words.entries()) {
    if (!word.text.startsWith("-")) continue;
    for (const option of options.split(" ")) {
      const value = optionValue(word, option, words[index + 1]);
      if (value === undefined) continue;
      const text = value.text.replace(/^exec=/, "");
      inner.push({ text: isExact(value) ? { text } : value, kind: "text" });
    }
  }
  return inner.length === 0 ? undefined : { inner, itself: true };
}

function optionValue(word: ShellWord, option: string, next: ShellWord | undefined): ShellWord | undefined {
  if (word.text === option) return next;
  if (word.text.startsWith(`${option}=`)) {
    const text = word.text.slice(option.length + 1);
    return isExact(word) ? { text } : { text, shape: HOLE };
  }
  return undefined;
}

/** The position after the words that must come first, options of the program itself not counted. */
function afterWords(name: string, words: readonly ShellWord[], after: string | undefined): number | undefined {
  let index = 1;
  if (after === undefined) return index;
  const withValue = valuedOptions(name);
  for (const choices of after.split(" ")) {
    while (words[index]?.text.startsWith("-") === true) index += withValue.has(words[index]?.text ?? "") ? 2 : 1;
    const word = words[index];
    if (word === undefined || !choices.split("|").includes(word.text)) return undefined;
    index++;
  }
  return index;
}

function readAssignment(word: ShellWord | undefined): ShellAssignment | undefined {
  const [, name, value = ""] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(word?.text ?? "") ?? [];
  if (word === undefined || name === undefined) return undefined;
  return { name, value: isExact(word) ? { text: value } : { text: value, shape: (word.shape ?? HOLE).slice(name.length + 1) } };
}

export function joinTexts(words: readonly ShellWord[]): ShellWord {
  const text = words.map((word) => word.text).join(" ");
  return words.every(isExact) ? { text } : { text, shape: words.map((word) => word.shape ?? word.text).join(" ") };
}
