import { AGENT_NAMES } from "@earshot/protocol/coding-agents";
import { capitalize } from "./amounts.ts";

/** Words joined by hyphens or underscores. Other ids are left as they are. */
const WORDS = /^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/;

/**
 * The displayed name of an agent: `invoice-desk` is "Invoice desk". It derives from the slug, which lists and filters use; the agent's
 * own name only counts without one, because two names would look like two agents.
 */
export function agentName(slug: string, callsItself?: string): string {
  if (slug === "") return callsItself ?? "Somebody";
  if (Object.hasOwn(AGENT_NAMES, slug)) return AGENT_NAMES[slug] ?? slug;
  return WORDS.test(slug) ? capitalize(slug.replaceAll(/[-_]/g, " ")) : slug;
}

/** The reverse of `agentName`, for typed names. */
export function agentSlug(name: string): string {
  const text = name.trim();
  const known = Object.entries(AGENT_NAMES).find(([, called]) => called.toLowerCase() === text.toLowerCase());
  if (known !== undefined) return known[0];
  return /^[A-Za-z][a-z0-9]*(?: [a-z0-9]+)*$/.test(text) ? text.toLowerCase().replaceAll(" ", "-") : text;
}

/** The last part of a folder: `/home/ana/shop` is "shop". */
export function projectName(folder: string | undefined): string | undefined {
  const name = folder
    ?.split(/[\\/]/)
    .filter((part) => part !== "")
    .at(-1);
  return name === undefined || name === "" ? undefined : name;
}

/** The folder an agent works in, if reported. */
export function folderIn(facts: Readonly<Record<string, unknown>>): string | undefined {
  const workspace = facts["workspace"];
  if (typeof workspace !== "object" || workspace === null) return undefined;
  const { project_path: path, roots, cwd } = workspace as Readonly<Record<string, unknown>>;
  const folder = [path, Array.isArray(roots) ? roots[0] : undefined, cwd].find((one) => typeof one === "string" && one !== "");
  return typeof folder === "string" ? folder : undefined;
}
