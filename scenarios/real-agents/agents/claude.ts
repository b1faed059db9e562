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
  files: () => ({}),
  env: ({ url }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-ant-scripted",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
  }),
  words: (prompt) => ["-p", prompt, "--allowedTools", "Bash"],
};
