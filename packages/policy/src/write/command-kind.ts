import { INTERPRETERS } from "../catalogue/programs.ts";
import { isInside, resolvePath } from "../paths.ts";
import { hasSubcommands, subcommand } from "../shell/options.ts";
import { isExact, joinWords, type ShellWord, type SimpleCommand } from "../shell/shell-command.ts";

/** Programs whose first operand is itself a program: a different operand does something entirely different. */
const RUN_OPERANDS =
  /^(?:python|pypy|bash|sh|zsh|dash|ksh|java|dotnet|make|gmake|just|rake|task|ssh|env|xargs|find|curl|wget|http|https|xh)[\d.]*$/;

/** A pattern for exactly these words. */
export function exactPattern(words: readonly ShellWord[]): string {
  return words.map(({ text }) => escapeWord(text)).join(" ");
}

/**
 * A pattern for commands of the same kind: the program, its subcommand and all options are fixed; operands may differ if they are not
 * options and stay in the workspace. Undefined if the pattern would cover more than was seen.
 */
export function kindPattern({ name, words, cwd }: SimpleCommand, roots: readonly string[]): string | undefined {
  if (RUN_OPERANDS.test(name) || Object.hasOwn(INTERPRETERS, name) || !words.every(isExact)) return undefined;
  const head = headLength(name, words);
  const first = words.findIndex(({ text }, index) => index >= head && !text.startsWith("-"));
  const stays = ({ text }: ShellWord) => {
    const path = text.startsWith("-") ? undefined : resolvePath(text, cwd.path);
    return path !== undefined && roots.some((root) => isInside(path, root));
  };
  return first >= 0 && words.slice(first).every(stays) ? `${exactPattern(words.slice(0, first))} <words>` : undefined;
}

function headLength(name: string, words: readonly ShellWord[]): number {
  if (!hasSubcommands(name)) return 1;
  const { name: sub, rest } = subcommand(name, words);
  const hasMore = /^(?:run|exec|compose|remote|stash|config|run-script|test)$/.test(sub) && rest.length > 0;
  return words.length - rest.length + (hasMore ? 1 : 0);
}

/** The words of a rule name that describe the action: `git push`, `npm run build`. */
export function headText(name: string, words: readonly ShellWord[]): string {
  return joinWords(words.slice(0, headLength(name, words)));
}

/** Escapes a text so that no character has a special meaning in a pattern. */
export function escapeGlob(text: string): string {
  return text.replaceAll(/[\\*?]/g, String.raw`\$&`);
}

function escapeWord(text: string): string {
  if (text !== "<words>" && text !== "" && !/[\s"']/.test(text)) return escapeGlob(text);
  return text.includes("'") ? `"${escapeGlob(text).replaceAll('"', String.raw`\"`)}"` : `'${text}'`;
}
