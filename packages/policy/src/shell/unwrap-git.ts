import { HARMLESS_SETTING } from "../catalogue/patterns.ts";
import { subcommand } from "./options.ts";
import { isExact, type ShellWord } from "./shell-command.ts";
import { alsoStartsInner, type InnerCommand, opaqueCommand, type UnwrappedCommand } from "./unwrapped.ts";

const RUNS_TEXT = /^(?:rebase|difftool|filter-branch|fetch|clone|pull|push|ls-remote|fetch-pack|send-pack)$/;

/** Git runs programs that its settings, and some of its commands, name. */
export function unwrapGit(words: readonly ShellWord[], options: readonly InnerCommand[]): UnwrappedCommand | undefined {
  for (const [index, word] of words.entries()) {
    if (index > 0 && !word.text.startsWith("-") && words[index - 1]?.text.startsWith("-") !== true) break;
    const setting = word.text === "-c" ? words[index + 1] : word.text.startsWith("--config-env") ? word : undefined;
    if (setting !== undefined && (!isExact(setting) || !HARMLESS_SETTING.test(setting.text)))
      return opaqueCommand(`the setting \`${setting.text}\` may have git run another program`);
  }
  if (words.some(({ text }) => text.startsWith("--exec-path="))) return opaqueCommand("git is told to run programs from elsewhere");
  const { name, rest } = subcommand("git", words);
  // `git rebase -x` and similar commands run a text; for other commands `-x` has another meaning.
  const inner: InnerCommand[] = RUNS_TEXT.test(name) ? [...options] : [];
  const [verb, ...others] = rest;
  if (name === "bisect" && verb?.text === "run") inner.push({ words: others, kind: "transparent" });
  if (name === "submodule" && verb?.text === "foreach") {
    const command = others.filter(({ text }) => text !== "--recursive" && text !== "--quiet");
    const [only, ...more] = command;
    if (only !== undefined) inner.push(more.length === 0 ? { text: only, kind: "text" } : { words: command, kind: "transparent" });
  }
  const alias = name === "config" ? rest.find(({ text }) => text.startsWith("!")) : undefined;
  if (alias !== undefined) inner.push({ text: isExact(alias) ? { text: alias.text.slice(1) } : alias, kind: "text" });
  return alsoStartsInner(inner);
}
