import { HARMLESS_SETTING } from "../catalogue/git-settings.ts";
import { subcommand } from "./options.ts";
import { type Inner, isExact, type ShellWord, type Unwrapped } from "./shell-command.ts";

const RUNS_TEXT: ReadonlySet<string> = new Set(
  "rebase difftool filter-branch fetch clone pull push ls-remote fetch-pack send-pack".split(" "),
);

/** Git runs what its settings, and some of its commands, name. */
export function unwrapGit(words: readonly ShellWord[], options: Unwrapped | undefined): Unwrapped | undefined {
  for (const [index, word] of words.entries()) {
    if (index > 0 && !word.text.startsWith("-") && words[index - 1]?.text.startsWith("-") !== true) break;
    const setting = word.text === "-c" ? words[index + 1] : word.text.startsWith("--config-env") ? word : undefined;
    if (setting === undefined) continue;
    if (!isExact(setting) || !HARMLESS_SETTING.test(setting.text)) {
      return { inner: [], itself: true, why: `the setting \`${setting.text}\` may have git run another program` };
    }
  }
  if (words.some(({ text }) => /^--exec-path=/.test(text)))
    return { inner: [], itself: true, why: "git is told to run programs from elsewhere" };
  const { name, rest } = subcommand("git", words);
  const inner: Inner[] = [...(options?.inner ?? [])];
  if (name === "bisect" && rest[0]?.text === "run") inner.push({ words: rest.slice(1), kind: "transparent" });
  if (name === "submodule" && rest[0]?.text === "foreach") {
    const command = rest.slice(1).filter(({ text }) => text !== "--recursive" && text !== "--quiet");
    const [only] = command;
    if (command.length === 1 && only !== undefined) inner.push({ text: only, kind: "text" });
    else if (command.length > 1) inner.push({ words: command, kind: "transparent" });
  }
  if (name === "config") {
    const value = rest.find(({ text }) => text.startsWith("!"));
    if (value !== undefined) inner.push({ text: isExact(value) ? { text: value.text.slice(1) } : value, kind: "text" });
  }
  // `git rebase -x` and its like run a text; for other commands `-x` means something else.
  const kept = inner.filter((one) => RUNS_TEXT.has(name) || options?.inner.includes(one) !== true);
  return kept.length === 0 ? undefined : { inner: kept, itself: true };
}
