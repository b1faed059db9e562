import { PACKAGE_VERB, VALUED } from "../catalogue/patterns.ts";
import { withoutPackageVersion } from "../paths.ts";
import { hasWord } from "../shell/options.ts";
import type { ShellWord } from "../shell/shell-command.ts";
import { operandsOf } from "./command-effects.ts";

/** The words without options and option values. */
export function operandsWithout(words: readonly ShellWord[], valued: string): readonly ShellWord[] {
  return operandsOf(words.filter((_, index) => index === 0 || !hasWord(valued, words[index - 1]?.text ?? "")));
}

/** The words after an option. */
export function valuesOf(words: readonly ShellWord[], options: string): readonly string[] {
  return words.flatMap(({ text }, index) => (hasWord(options, words[index - 1]?.text ?? "") ? [text] : []));
}

/** Packages installed from a registry, except those already present. */
export function namedPackages(words: readonly ShellWord[], ecosystem: string): readonly string[] {
  const added = ecosystem === "pypi" ? valuesOf(words, "--with --from") : ecosystem === "crates" ? valuesOf(words, "--git") : [];
  if (ecosystem === "pypi" && added.length > 0) return added;
  const operands = operandsWithout(words, VALUED.packages).map(({ text }) => text);
  const from = operands.findIndex((text) => !PACKAGE_VERB.test(text));
  const isOne = operands.slice(0, Math.max(0, from)).some((verb) => /^(?:run|create|init|innit|dlx|exec|x)$/.test(verb));
  const named = from < 0 ? [] : operands.slice(from, isOne ? from + 1 : undefined);
  return [...named.filter((name) => !isHere(name, ecosystem)), ...added];
}

function isHere(name: string, ecosystem: string): boolean {
  if (/\.(?:tgz|tar\.gz|whl|zip|gem|deb|vsix|nupkg)$/.test(name)) return false;
  if (ecosystem === "go") return !/^[\w-]+(?:\.[\w-]+)+\//.test(name) || name.startsWith("./");
  return /^(?:\.{1,2}(?:\/.*)?|\.\[.*\]|\/.*|~\/.*|(?:file|link|workspace|portal):.*)$/.test(name);
}

/** Packages that `npx` and similar programs fetch and run. */
export function runPackages(words: readonly ShellWord[]): readonly string[] {
  const program = operandsWithout(words, VALUED.packages).find(({ text }) => !PACKAGE_VERB.test(text));
  const before = program === undefined ? words : words.slice(0, words.indexOf(program));
  const named = valuesOf(before, "-p --package --from --with");
  return (named.length > 0 || program === undefined ? named : [program.text]).map(withoutPackageVersion);
}
