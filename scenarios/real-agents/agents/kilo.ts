import type { RealAgent } from "../real-agent.ts";

export const kilo: RealAgent = {
  slug: "kilo",
  name: "Kilo Code CLI",
  package: "@kilocode/cli",
  programs: [
    "@kilocode/cli-linux-x64/bin/kilo",
    "@kilocode/cli-linux-x64-baseline/bin/kilo",
    "@kilocode/cli-linux-arm64/bin/kilo",
    "@kilocode/cli-darwin-arm64/bin/kilo",
    "@kilocode/cli-darwin-x64/bin/kilo",
  ],
  command: "kilo",
  isScript: false,
  files: ({ url, mcp }) => ({
    // It looks up a package at every start, which takes long without a network.
    ".npmrc": "fetch-retries=0\n",
    ".config/kilo/kilo.json": {
      autoupdate: false,
      share: "disabled",
      model: "scripted/scripted",
      small_model: "scripted/scripted",
      permission: "allow",
      mcp: { tests: { type: "local", command: [...mcp] } },
      provider: {
        scripted: {
          npm: "@ai-sdk/openai-compatible",
          options: { baseURL: `${url}/v1`, apiKey: "scripted" },
          models: { scripted: { name: "Scripted", tool_call: true, limit: { context: 100_000, output: 10_000 } } },
        },
      },
    },
  }),
  env: () => ({ KILO_DISABLE_AUTOUPDATE: "1", KILO_DISABLE_MODELS_FETCH: "1", KILO_DISABLE_LSP_DOWNLOAD: "1" }),
  words: (prompt) => ["run", prompt],
  modes: { plan: (prompt) => ["run", "--agent", "plan", prompt] },
  resumes: (prompt) => ["run", "--continue", prompt],
};
