import { INTERPRETERS } from "../catalogue/interpreters.ts";
import { isInside, resolvePath } from "../paths.ts";
import { hasSubcommands, subcommand } from "../shell/options.ts";
import { isExact, type ShellWord, type SimpleCommand } from "../shell/shell-command.ts";

/** Programs whose first operand is itself a program: with another one they do something else entirely. */
const RUN_OPERANDS =
  /^(?:python|pypy|bash|sh|zsh|dash|ksh|java|dotnet|make|gmake|just|rake|task|ssh|env|xargs|find|curl|wget|http|https|xh)[\d.]*$/;

/** A pattern for exactly these words. */
export function exactPattern(words: readonly ShellWord[]): string {
  return words.map(({ text }) => escapeWord(text)).join(" ");
}

/**
 * A pattern for commands of the same kind: the program, its subcommand and all options as they are; operands may be others,
 * as long as they are no options and stay in the workspace. Undefined where that would say more than was seen.
 */
export function kindPattern({ name, words, cwd }: SimpleCommand, roots: readonly string[]): string | undefined {
  if (RUN_OPERANDS.test(name) || Object.hasOwn(INTERPRETERS, name) || !words.every(isExact)) return undefined;
  const head = headLength(name, words);
  const first = words.findIndex(({ text }, index) => index >= head && !text.startsWith("-"));
  if (first < 0) return undefined;
  const operands = words.slice(first);
  const stay = operands.every(({ text }) => {
    const path = resolvePath(text, cwd.path);
    return !text.startsWith("-") && path !== undefined && roots.some((root) => isInside(path, root));
  });
  return stay ? `${exactPattern(words.slice(0, first))} <words>` : undefined;
}

/** The words that say what is done: `git push`, `npm run build`. */
export function headLength(name: string, words: readonly ShellWord[]): number {
  if (!hasSubcommands(name)) return 1;
  const { name: sub, rest } = subcommand(name, words);
  const upTo = words.length - rest.length;
  return /^(?:run|exec|compose|remote|stash|config|run-script|test)$/.test(sub) && rest.length > 0 ? upTo + 1 : upTo;
}

/** The words that say what is done, for a name. */
export function headText(name: string, words: readonly ShellWord[]): string {
  return words
    .slice(0, headLength(name, words))
    .map(({ text }) => text)
    .join(" ");
}

function escapeWord(text: string): string {
  const plain = text.replaceAll(/[\\*?]/g, String.raw`\$&`);
  if (text === "<words>" || text === "" || /[\s"']/.test(text))
    return text.includes("'") ? `"${plain.replaceAll('"', String.raw`\"`)}"` : `'${text}'`;
  return plain;
}
