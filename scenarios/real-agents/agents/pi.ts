import type { RealAgent } from "../real-agent.ts";

export const pi: RealAgent = {
  slug: "pi",
  name: "Pi",
  package: "@mariozechner/pi-coding-agent",
  programs: ["@mariozechner/pi-coding-agent/dist/cli.js"],
  command: "pi",
  isScript: true,
  files: ({ url }) => ({
    ".pi/agent/models.json": {
      providers: {
        scripted: { baseUrl: `${url}/v1`, api: "openai-completions", apiKey: "scripted", models: [{ id: "scripted" }] },
      },
    },
  }),
  env: () => ({ PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1" }),
  words: (prompt) => ["--provider", "scripted", "--model", "scripted", "-p", prompt],
  resumes: (prompt) => ["--provider", "scripted", "--model", "scripted", "--continue", "-p", prompt],
};
