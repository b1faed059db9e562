/** What agents are called by people, where their slug is not that. */
const AGENTS: Readonly<Record<string, string>> = {
  claude: "Claude Code",
  codex: "Codex",
  cursor: "Cursor",
  gemini: "Gemini CLI",
  github: "GitHub Copilot",
  opencode: "OpenCode",
  qwen: "Qwen Code",
  windsurf: "Windsurf",
  cline: "Cline",
};

export function agentName(slug: string): string {
  return AGENTS[slug] ?? (slug === "" ? "Somebody" : slug);
}

/** The last part of a folder: `/home/ana/shop` is "shop". */
export function projectName(folder: string | undefined): string | undefined {
  const name = folder
    ?.split(/[\\/]/)
    .filter((part) => part !== "")
    .at(-1);
  return name === undefined || name === "" ? undefined : name;
}

export const PROTOCOL_NAMES = { aaep: "AAEP", aep: "AEP", aop: "AOP" } as const;
