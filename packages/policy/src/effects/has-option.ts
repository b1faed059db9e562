import type { ShellWord } from "../shell/shell-command.ts";

/**
 * Whether one of the options is among the words: a letter also inside of a cluster (`-rf`), a long one also with a value
 * or cut short (`--recur`), and one with a single dash and several letters only as it is.
 */
export function hasOption(words: readonly ShellWord[], options: readonly string[]): boolean {
  if (options.length === 0) return false;
  for (const { text } of words) {
    if (text === "--") return false;
    if (!text.startsWith("-") || text.length < 2) continue;
    if (options.some((option) => isOption(text, option))) return true;
  }
  return false;
}

function isOption(text: string, option: string): boolean {
  if (text === option) return true;
  if (option.startsWith("--")) {
    const [name = ""] = text.split("=", 1);
    return name === option || (name.length > 4 && text.startsWith("--") && option.startsWith(name));
  }
  return option.length === 2 && !text.startsWith("--") && /^-[A-Za-z0-9]+$/.test(text) && text.includes(option.slice(1));
}
