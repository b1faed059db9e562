import { expandNames } from "../catalogue/names.ts";
import { hasOption } from "../effects/command-form.ts";
import type { TouchedPath } from "../effects/touched-path.ts";
import type { RequestPart } from "../facts.ts";
import { subcommand } from "../shell/options.ts";
import effects from "./effects.json" with { type: "json" };

const MAX_NAMED = 4;
const COMMANDS = expandNames(effects.commands);
const GIT = expandNames(effects.git);
const PACKAGES = expandNames(effects.packages);

/** Describes the effect of one part of a request in a few words. */
export function describeEffect({ command, touched, readsOnly }: RequestPart): string {
  if (command === undefined) return filesIn(touched) ?? "Does what its arguments say.";
  const { name, words, assignments, via } = command;
  if (name === "" && words.length > 0) return "Runs a program that is only known then.";
  if (name === "") return filesIn(touched) ?? `Sets ${assignments.map((one) => one.name).join(", ")}.`;
  const where = elsewhere(via);
  const special = specialEffect(name, words);
  if (special !== undefined) return `${special}${where}.`;
  const deletes = touched.filter(({ access }) => access === "delete");
  if (deletes.length > 0 && name !== "mv") {
    const deep = hasOption(words, ["-r", "-R", "--recursive"]) ? ", with everything in it" : "";
    return `Deletes ${listPaths(deletes)}${deep}${where}.`;
  }
  const files = filesIn(touched);
  const isKnown = readsOnly || touched.every(({ access }) => access !== undefined);
  return files !== undefined && isKnown ? `${files.slice(0, -1)}${where}.` : `Runs ${name}${where}.`;
}

function specialEffect(name: string, words: NonNullable<RequestPart["command"]>["words"]): string | undefined {
  const texts = words.map(({ text }) => text);
  if (name === "cd") return `Goes to ${texts[1] ?? "the home folder"}`;
  if (name === "export")
    return `Sets ${texts
      .slice(1)
      .map((text) => text.split("=", 1)[0])
      .join(", ")}`;
  if (name === "git") return entryOf(GIT, subcommand("git", words).name);
  if (name === "curl" || name === "wget") {
    const address = texts.find((text) => /^https?:\/\//.test(text))?.slice(0, 200) ?? "a server";
    return name === "curl" ? `Talks to ${address}` : `Downloads ${address}`;
  }
  if (!/^(?:npm|pnpm|yarn|bun|pip3?)$/.test(name)) return entryOf(COMMANDS, name);
  const [, verb = "", script] = texts.filter((text) => !text.startsWith("-"));
  return verb === "run" && script !== undefined ? `Runs the project's own script ${script}` : entryOf(PACKAGES, verb);
}

function entryOf(table: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function elsewhere(via: NonNullable<RequestPart["command"]>["via"]): string {
  const rights = via.find(({ kind }) => kind === "privileged")?.name;
  const place = via.find(({ kind }) => kind === "elsewhere")?.name;
  return `${rights === undefined ? "" : `, with other rights (${rights})`}${place === undefined ? "" : `, somewhere else (${place})`}`;
}

function filesIn(touched: readonly TouchedPath[]): string | undefined {
  const parts = (["delete", "write", "read"] as const).flatMap((access) => {
    const files = touched.filter((one) => one.access === access);
    return files.length === 0 ? [] : [`${access}s ${listPaths(files)}`];
  });
  const text = parts.join(", ");
  return text === "" ? undefined : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function listPaths(touched: readonly TouchedPath[]): string {
  const paths = [...new Set(touched.map(({ path }) => path))];
  const more = paths.length - MAX_NAMED;
  return more > 0 ? `${paths.slice(0, MAX_NAMED).join(", ")} and ${more} more` : paths.join(", ");
}
