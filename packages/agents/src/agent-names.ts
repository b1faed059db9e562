import { resolveAgent } from "@earshot/protocol/aep";

/** What people and installers call agents, besides their slugs. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["codex-cli", "codex"],
  ["copilot", "github"],
  ["github-copilot", "github"],
  ["vscode", "github"],
  ["vs-code", "github"],
  ["cascade", "windsurf"],
  ["qwen-code", "qwen"],
  ["factory", "droid"],
  ["factory-droid", "droid"],
  ["kilo-code", "kilo"],
  ["kilocode", "kilo"],
  ["kimi-cli", "kimi"],
  ["kimi-code", "kimi"],
  ["kiro-cli", "kiro"],
  ["amazon-q", "kiro"],
  ["augment", "auggie"],
  ["devin-cli", "devin"],
]);

const SLUG = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** The slug of an agent by any of its names; undefined for what cannot be one. */
export function toSlug(name: string): string | undefined {
  const plain = name.trim().toLowerCase();
  const slug = OTHER_NAMES.get(plain) ?? resolveAgent(plain);
  return SLUG.test(slug) ? slug : undefined;
}
