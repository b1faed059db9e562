/** The origin of a tool, derived from its name. */
interface ToolName {
  readonly type: "native" | "mcp";
  /** The name inside its server. */
  readonly tool: string;
  /** Left out where the name does not determine it. */
  readonly server?: string;
}

/**
 * Reads the spellings `mcp__server__tool`, `@server/tool` and `MCP:tool`. `mcp_server_tool` does not show where the server's name ends,
 * so only the kind is known.
 */
export function readToolName(name: string): ToolName {
  if (name.startsWith("mcp__")) {
    const end = name.indexOf("__", 5);
    if (end > 5 && end + 2 < name.length) return { type: "mcp", server: name.slice(5, end), tool: name.slice(end + 2) };
    return { type: "mcp", tool: name };
  }
  if (name.startsWith("mcp_") && name.length > 4) return { type: "mcp", tool: name };
  if (name.startsWith("MCP:") && name.length > 4) return { type: "mcp", tool: name.slice(4) };
  if (name.startsWith("@")) {
    const slash = name.indexOf("/");
    if (slash > 1 && slash + 1 < name.length) return { type: "mcp", server: name.slice(1, slash), tool: name.slice(slash + 1) };
  }
  return { type: "native", tool: name };
}

/** For agents that prefix every tool with its supplier, as in `developer__shell`. */
export function splitToolName(name: string, separator: string): Omit<ToolName, "type"> {
  const at = name.indexOf(separator);
  if (at <= 0 || at + separator.length >= name.length) return { tool: name };
  return { server: name.slice(0, at), tool: name.slice(at + separator.length) };
}

const PROVIDERS: readonly (readonly [prefix: RegExp, provider: string])[] = [
  [/^claude-/, "anthropic"],
  [/^(?:gpt-|o\d|codex-|chatgpt-)/, "openai"],
  [/^gemini-/, "google"],
  [/^grok-/, "xai"],
  [/^kimi-/, "moonshot"],
  [/^qwen/, "alibaba"],
];

/** The maker of a model, if its name reveals it. */
export function providerOf(model: string): string | undefined {
  const name = model.toLowerCase();
  return PROVIDERS.find(([prefix]) => prefix.test(name))?.[1];
}
