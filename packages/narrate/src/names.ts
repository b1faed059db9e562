import { AGENT_NAMES } from "@earshot/protocol/coding-agents";
import { capitalize } from "./amounts.ts";

/** Words with hyphens or underscores between them. Anything else is an id of some other kind, and stays as it is. */
const WORDS = /^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/;

/**
 * What an agent is called, wherever it is told: `invoice-desk` is "Invoice desk". Its slug decides, since that is what everything is listed and
 * filtered by, and what it calls itself counts only where it has none: two names for one agent would look like two agents.
 */
export function agentName(slug: string, callsItself?: string): string {
  if (slug === "") return callsItself ?? "Somebody";
  if (Object.hasOwn(AGENT_NAMES, slug)) return AGENT_NAMES[slug] ?? slug;
  return WORDS.test(slug) ? capitalize(slug.replaceAll(/[-_]/g, " ")) : slug;
}

/** The way back, for a person who types the name that is told where a slug is asked for. */
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

/** The folder that an agent works in, as far as it says. */
export function folderIn(facts: Readonly<Record<string, unknown>>): string | undefined {
  const workspace = facts["workspace"];
  if (typeof workspace !== "object" || workspace === null) return undefined;
  const { project_path: path, roots, cwd } = workspace as Readonly<Record<string, unknown>>;
  const folder = [path, Array.isArray(roots) ? roots[0] : undefined, cwd].find((one) => typeof one === "string" && one !== "");
  return typeof folder === "string" ? folder : undefined;
}
