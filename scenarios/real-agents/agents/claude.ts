import type { RealAgent } from "../real-agent.ts";

export const claude: RealAgent = {
  slug: "claude",
  name: "Claude Code",
  package: "@anthropic-ai/claude-code",
  programs: [
    "@anthropic-ai/claude-code-linux-x64/claude",
    "@anthropic-ai/claude-code-linux-arm64/claude",
    "@anthropic-ai/claude-code-darwin-arm64/claude",
    "@anthropic-ai/claude-code-darwin-x64/claude",
  ],
  command: "claude",
  isScript: false,
  files: ({ mcp: [command, ...args] }) => ({ ".claude.json": { mcpServers: { tests: { type: "stdio", command, args } } } }),
  env: ({ url }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-ant-scripted",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    // Root needs this for --dangerously-skip-permissions.
    IS_SANDBOX: "1",
  }),
  words: (prompt) => ["-p", prompt, "--allowedTools", TOOLS],
  modes: {
    acceptEdits: (prompt) => ["-p", prompt, "--permission-mode", "acceptEdits", "--allowedTools", TOOLS],
    plan: (prompt) => ["-p", prompt, "--permission-mode", "plan", "--allowedTools", TOOLS],
    bypassPermissions: (prompt) => ["-p", prompt, "--dangerously-skip-permissions"],
    dontAsk: (prompt) => ["-p", prompt, "--permission-mode", "dontAsk", "--allowedTools", TOOLS],
  },
  resumes: (prompt) => ["-p", prompt, "--continue", "--allowedTools", TOOLS],
};

const TOOLS = "Bash,Read,Write,Edit,Agent,Task,mcp__tests__drop_treasure";
