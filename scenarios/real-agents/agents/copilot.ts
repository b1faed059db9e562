import type { RealAgent } from "../real-agent.ts";

export const copilot: RealAgent = {
  slug: "github",
  name: "Copilot CLI",
  package: "@github/copilot",
  programs: [
    "@github/copilot-linux-x64/copilot",
    "@github/copilot-linux-arm64/copilot",
    "@github/copilot-darwin-arm64/copilot",
    "@github/copilot-darwin-x64/copilot",
  ],
  command: "copilot",
  isScript: false,
  files: ({ mcp: [command, ...args] }) => ({
    ".copilot/mcp-config.json": { mcpServers: { tests: { type: "local", command, args, tools: ["*"] } } },
  }),
  // Without an account: a local model and no network. Folder trust, normally given in the terminal, is preset.
  env: ({ url }) => ({
    COPILOT_OFFLINE: "true",
    COPILOT_ALLOW_ALL: "true",
    COPILOT_AUTO_UPDATE: "false",
    COPILOT_MODEL: "scripted",
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: "scripted",
  }),
  words: (prompt) => ["-p", prompt],
  resumes: (prompt) => ["--continue", "-p", prompt],
};
