import type { RealAgent } from "../real-agent.ts";

export const qwen: RealAgent = {
  slug: "qwen",
  name: "Qwen Code",
  package: "@qwen-code/qwen-code",
  programs: ["@qwen-code/qwen-code/cli-entry.js", "@qwen-code/qwen-code/cli.js"],
  command: "qwen",
  isScript: true,
  files: ({ mcp: [command, ...args] }) => ({
    ".qwen/settings.json": {
      security: { auth: { selectedType: "openai" } },
      mcpServers: { tests: { command, args, trust: true } },
      general: { disableAutoUpdate: true },
      privacy: { usageStatisticsEnabled: false },
    },
  }),
  env: ({ url }) => ({ OPENAI_API_KEY: "scripted", OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "scripted" }),
  words: (prompt) => ["--yolo", "-p", prompt],
  modes: {
    "auto-edit": (prompt) => ["--approval-mode", "auto-edit", "-p", prompt],
    plan: (prompt) => ["--approval-mode", "plan", "-p", prompt],
  },
  resumes: (prompt) => ["--yolo", "--continue", "-p", prompt],
};
