import { KNOWN_OUTPUT, TMUX_LOOKS } from "../catalogue/patterns.ts";
import { OPAQUE_WRAPPERS, OPTION_TEXTS, PREFIX_WRAPPERS } from "../catalogue/programs.ts";
import { basename } from "../paths.ts";
import { isExact, joinWords, type ShellInput, type ShellWord, wordFrom } from "./shell-command.ts";
import { unwrapFd, unwrapFind, unwrapXargs } from "./unwrap-find.ts";
import { unwrapGit } from "./unwrap-git.ts";
import { afterWords, joinTexts, unwrapPrefix } from "./unwrap-prefix.ts";
import { isShell, unwrapShell } from "./unwrap-shell.ts";
import { alsoStartsInner, type InnerCommand, opaqueCommand, startsInner, type UnwrappedCommand, type Unwrapper } from "./unwrapped.ts";

export function unwrapCommand(name: string, words: readonly ShellWord[], input: ShellInput | undefined): UnwrappedCommand | undefined {
  if (isShell(name)) return unwrapShell(name, words, input);
  if (Object.hasOwn(SPECIAL, name)) return SPECIAL[name]?.(words, input);
  if (Object.hasOwn(OPAQUE_WRAPPERS, name)) return unwrapOpaque(name, words);
  for (const form of Object.hasOwn(PREFIX_WRAPPERS, name) ? (PREFIX_WRAPPERS[name] ?? []) : []) {
    const start = afterWords(name, words, form.after);
    if (start !== undefined) return unwrapPrefix({ name, form, words, input }, start);
  }
  if (/^(?:pnpm|yarn)$/.test(name)) return unwrapScript(words);
  return /^python[\d.]*$|^py$/.test(name) ? unwrapPython(words) : alsoStartsInner(optionTexts(name, words));
}

function unwrapOpaque(name: string, [, ...rest]: readonly ShellWord[]): UnwrappedCommand | undefined {
  const [does = "", told] = [OPAQUE_WRAPPERS[name] ?? []].flat();
  const looks = rest.length > 0 && rest.every(({ text }) => /^-(?:l|ls|list|-list|V|v|-version|-help|h)$/.test(text));
  const starts = told === undefined ? !looks : rest.some(({ text }) => new RegExp(told).test(text));
  return starts ? opaqueCommand(`\`${name}\` ${does}`) : undefined;
}

const SPECIAL: Readonly<Record<string, Unwrapper>> = {
  eval: (words) => {
    const text = joinTexts(words.slice(1));
    return words.length < 2 || KNOWN_OUTPUT.test(text.text) ? undefined : startsInner({ text, kind: "text", here: true });
  },
  trap: (words) => {
    const [action, ...signals] = words.slice(words[1]?.text === "--" ? 2 : 1);
    if (action === undefined || signals.length === 0 || action.text === "-" || action.text === "") return undefined;
    return startsInner({ text: action, kind: "text", here: true });
  },
  source: unwrapSource,
  ".": unwrapSource,
  xargs: unwrapXargs,
  find: unwrapFind,
  fd: unwrapFd,
  fdfind: unwrapFd,
  git: (words) => unwrapGit(words, optionTexts("git", words)),
  tmux: unwrapTmux,
  node: unwrapScript,
  nodejs: unwrapScript,
  bun: (words) => unwrapScript(words) ?? unwrapFirstForm("bun", words),
  php: (words) => unwrapFramework(words, "artisan"),
  ruby: (words) => unwrapFramework(words, "rails"),
  make: unwrapMake,
  gmake: unwrapMake,
};

function unwrapSource([program, file]: readonly ShellWord[]): UnwrappedCommand | undefined {
  if (file === undefined || (isExact(file) && file.text !== "/dev/stdin")) return undefined;
  return opaqueCommand(`\`${program?.text}\` runs a text that is only known when it runs`);
}

function unwrapTmux(words: readonly ShellWord[]): UnwrappedCommand | undefined {
  const rest = words.slice(1);
  if (rest.some(({ text }) => TMUX_LOOKS.test(text)) && !words.some(({ text }) => text === ";")) return undefined;
  const opens = rest.every(
    ({ text }, index) => /^(?:new|new-session|-[sdnADP]+)$/.test(text) || /^-[snct]$/.test(words[index]?.text ?? ""),
  );
  return opens ? undefined : opaqueCommand("`tmux` types into, or starts, programs in another terminal");
}

/** Earshot's own command, started by the path of its file. */
function unwrapScript(words: readonly ShellWord[]): UnwrappedCommand | undefined {
  const at = words.findIndex(({ text }, index) => index > 0 && /(?:^|[\\/])earshot(?:\.[cm]?js)?$/.test(text));
  if (at < 0 || words.slice(1, at).some(({ text }) => !text.startsWith("-"))) return undefined;
  return alsoStartsInner([{ words: [{ text: "earshot" }, ...words.slice(at + 1)], kind: "runner" }]);
}

/** `python -m twine` runs twine; `python manage.py` runs the framework's own commands. */
function unwrapPython(words: readonly ShellWord[]): UnwrappedCommand | undefined {
  const at = words.findIndex(({ text }, index) => index > 0 && (text === "-m" || !text.startsWith("-")));
  const module = words[at + 1];
  if (words[at]?.text !== "-m") return unwrapFramework(words, "manage.py");
  return module === undefined || !isExact(module) ? undefined : startsInner({ words: words.slice(at + 1), kind: "runner" });
}

/** `php artisan`, `ruby bin/rails`: the words after the script are the command. */
function unwrapFramework(words: readonly ShellWord[], script: string): UnwrappedCommand | undefined {
  const at = words.findIndex(({ text }, index) => index > 0 && !text.startsWith("-"));
  if (at < 0 || basename(words[at]?.text ?? "") !== script) return undefined;
  return startsInner({ words: [{ text: script }, ...words.slice(at + 1)], kind: "runner" });
}

/** `make SHELL=…` and `make --eval=…` run code from the command line. */
function unwrapMake(words: readonly ShellWord[]): UnwrappedCommand | undefined {
  const fromInput = /(?:^| )(?:-f ?|--file[= ]|--makefile[= ])(?:-|\/dev\/stdin)(?: |$)/.test(joinWords(words)) ? words[0] : undefined;
  const runs = fromInput ?? words.find(({ text }) => /^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS|CC|CXX|LD)=|^--eval\b|^-E$/.test(text));
  return runs === undefined ? undefined : opaqueCommand(`make is told on its command line what to run: \`${runs.text}\``);
}

function unwrapFirstForm(name: string, words: readonly ShellWord[]): UnwrappedCommand | undefined {
  const [form] = PREFIX_WRAPPERS[name] ?? [];
  const start = form === undefined ? undefined : afterWords(name, words, form.after);
  return form === undefined || start === undefined ? undefined : unwrapPrefix({ name, form, words, input: undefined }, start);
}

/** Options of an ordinary program whose value is a command line: `rsync -e 'ssh -p 22'`. */
function optionTexts(name: string, words: readonly ShellWord[]): readonly InnerCommand[] {
  if (!Object.hasOwn(OPTION_TEXTS, name)) return [];
  const options = OPTION_TEXTS[name]?.split(" ") ?? [];
  return words.flatMap((word, index) =>
    options.flatMap((option): readonly InnerCommand[] => {
      const attached = word.text.startsWith(`${option}=`) ? wordFrom(word, option.length + 1) : undefined;
      const value = word.text === option ? words[index + 1] : attached;
      if (value === undefined) return [];
      return [{ text: isExact(value) ? { text: value.text.replace(/^exec=/, "") } : value, kind: "text" }];
    }),
  );
}
