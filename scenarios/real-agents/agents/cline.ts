import type { RealAgent } from "../real-agent.ts";

export const cline: RealAgent = {
  slug: "cline",
  name: "Cline CLI",
  package: "cline",
  programs: [
    "@cline/cli-linux-x64/bin/cline",
    "@cline/cli-linux-arm64/bin/cline",
    "@cline/cli-darwin-arm64/bin/cline",
    "@cline/cli-darwin-x64/bin/cline",
  ],
  command: "cline",
  isScript: false,
  files: ({ url }) => ({
    ".cline/data/settings/providers.json": {
      version: 1,
      lastUsedProvider: "openai-compatible",
      modes: {},
      providers: {
        "openai-compatible": {
          settings: { provider: "openai-compatible", apiKey: "scripted", model: "scripted", baseUrl: `${url}/v1` },
          updatedAt: "2026-11-15T12:00:00.000Z",
          tokenSource: "manual",
        },
      },
    },
  }),
  env: () => ({}),
  words: (prompt) => ["--json", "--timeout", "100", prompt],
};
