import type { RealAgent } from "../real-agent.ts";

export const gemini: RealAgent = {
  slug: "gemini",
  name: "Gemini CLI",
  package: "@google/gemini-cli",
  programs: ["@google/gemini-cli/bundle/gemini.js"],
  command: "gemini",
  isScript: true,
  files: ({ mcp: [command, ...args] }) => ({
    ".gemini/settings.json": {
      security: { auth: { selectedType: "gemini-api-key" } },
      mcpServers: { tests: { command, args, trust: true } },
      general: { disableAutoUpdate: true, disableUpdateNag: true },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    },
  }),
  env: ({ url }) => ({ GEMINI_API_KEY: "scripted", GOOGLE_GEMINI_BASE_URL: url }),
  words: (prompt) => ["-m", "gemini-2.5-pro", "--yolo", "--skip-trust", "-p", prompt],
  modes: {
    auto_edit: (prompt) => ["-m", "gemini-2.5-pro", "--approval-mode", "auto_edit", "--skip-trust", "-p", prompt],
    plan: (prompt) => ["-m", "gemini-2.5-pro", "--approval-mode", "plan", "--skip-trust", "-p", prompt],
  },
  resumes: (prompt) => ["-m", "gemini-2.5-pro", "--yolo", "--skip-trust", "--resume", "latest", "-p", prompt],
};
