import { hasOption } from "../effects/command-form.ts";
import type { Touched } from "../effects/touched.ts";
import type { Part } from "../facts.ts";
import { subcommand } from "../shell/options.ts";

const MOST_NAMED = 4;

/** What one part of an ask would do, in a few words. */
export function describeEffect({ command, touched, readsOnly }: Part): string {
  if (command === undefined) return filesIn(touched) ?? "Does what its arguments say.";
  const { name, words, assignments, via } = command;
  if (name === "" && words.length > 0) return "Runs a program that is only known then.";
  if (name === "") return filesIn(touched) ?? `Sets ${assignments.map((one) => one.name).join(", ")}.`;
  const where = elsewhere(via);
  const special = Object.hasOwn(SPECIAL, name) ? SPECIAL[name]?.(command.words) : undefined;
  if (special !== undefined) return `${special}${where}.`;
  const deletes = touched.filter(({ access }) => access === "delete");
  if (deletes.length > 0 && name !== "mv") {
    const deep = hasOption(words, ["-r", "-R", "--recursive"]) ? ", with everything in it" : "";
    return `Deletes ${named(deletes)}${deep}${where}.`;
  }
  const files = filesIn(touched);
  if (files !== undefined && (readsOnly || touched.every(({ access }) => access !== undefined))) return `${files.slice(0, -1)}${where}.`;
  return `Runs ${name}${where}.`;
}

type Words = NonNullable<Part["command"]>["words"];

const SPECIAL: Readonly<Record<string, (words: Words) => string | undefined>> = {
  cd: (words) => `Goes to ${words[1]?.text ?? "the home folder"}`,
  git: (words) => {
    const { name } = subcommand("git", words);
    return Object.hasOwn(GIT, name) ? GIT[name] : undefined;
  },
  npm: packages,
  pnpm: packages,
  yarn: packages,
  bun: packages,
  pip: packages,
  pip3: packages,
  curl: (words) => `Talks to ${address(words)}`,
  wget: (words) => `Downloads ${address(words)}`,
  echo: () => "Prints a text",
  printf: () => "Prints a text",
  export: (words) =>
    `Sets ${words
      .slice(1)
      .map(({ text }) => text.split("=", 1)[0])
      .join(", ")}`,
  sleep: () => "Waits",
};

const GIT: Readonly<Record<string, string>> = {
  push: "Sends commits to the remote",
  pull: "Fetches commits and merges them",
  fetch: "Fetches commits",
  commit: "Records a commit",
  add: "Marks files for the next commit",
  clone: "Copies a repository",
  checkout: "Changes to another branch, or brings files back",
  switch: "Changes to another branch",
  merge: "Merges a branch",
  rebase: "Rewrites commits on another base",
  reset: "Moves the branch to another commit",
  stash: "Puts changes aside, or brings them back",
  tag: "Names a commit",
};

function packages(words: Words): string | undefined {
  const [, verb, script] = words.filter(({ text }) => !text.startsWith("-")).map(({ text }) => text);
  if (verb === "install" || verb === "i" || verb === "add" || verb === "ci") return "Installs packages, and runs their install scripts";
  if (verb === "run" && script !== undefined) return `Runs the project's own script ${script}`;
  if (verb === "test") return "Runs the project's tests";
  return verb === "publish" ? "Publishes a package for everybody" : undefined;
}

function address(words: Words): string {
  return words.find(({ text }) => /^https?:\/\//.test(text))?.text.slice(0, 200) ?? "a server";
}

function elsewhere(via: NonNullable<Part["command"]>["via"]): string {
  const rights = via.find(({ kind }) => kind === "privileged")?.name;
  const place = via.find(({ kind }) => kind === "elsewhere")?.name;
  return `${rights === undefined ? "" : `, with other rights (${rights})`}${place === undefined ? "" : `, somewhere else (${place})`}`;
}

function filesIn(touched: readonly Touched[]): string | undefined {
  const parts: string[] = [];
  for (const [access, verb] of [
    ["delete", "deletes"],
    ["write", "writes"],
    ["read", "reads"],
  ] as const) {
    const files = touched.filter((one) => one.access === access);
    if (files.length > 0) parts.push(`${verb} ${named(files)}`);
  }
  const text = parts.join(", ");
  return text === "" ? undefined : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function named(touched: readonly Touched[]): string {
  const paths = [...new Set(touched.map(({ path }) => path))];
  const more = paths.length - MOST_NAMED;
  return more > 0 ? `${paths.slice(0, MOST_NAMED).join(", ")} and ${more} more` : paths.join(", ");
}
