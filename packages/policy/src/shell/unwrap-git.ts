import type { ShellWord } from "./shell-command.ts";
import { isExact } from "./shell-command.ts";
import { gitSubcommand } from "./subcommand.ts";
import type { Inner, Unwrapped } from "./unwrapped.ts";

/** Settings that only change how things look, or are plain data. All others may name a program that git then runs. */
const HARMLESS_SETTING =
  /^(?:user\.|color\.|advice\.|column\.|log\.|status\.|init\.defaultbranch|commit\.(?:gpgsign|verbose)|tag\.gpgsign|core\.(?:autocrlf|quotepath|eol|safecrlf|filemode|ignorecase|symlinks|abbrev|bare|longpaths)|core\.pager=(?:cat|less)?$|pull\.|push\.default|rebase\.auto|merge\.conflictstyle|diff\.(?:renames|algorithm|context|color)|safe\.directory|http\.(?:version|postbuffer|sslverify)|protocol\.version|gc\.auto|fetch\.prune|submodule\.recurse|grep\.)/i;

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
  const { name, rest } = gitSubcommand(words);
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
  const runs = new Set(["rebase", "difftool", "filter-branch", "fetch", "clone", "pull", "push", "ls-remote", "fetch-pack", "send-pack"]);
  const kept = inner.filter((one) => !(options?.inner.includes(one) === true && !runs.has(name)));
  return kept.length === 0 ? undefined : { inner: kept, itself: true };
}
