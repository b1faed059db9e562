import type { RealAgent } from "../real-agent.ts";

export const opencode: RealAgent = {
  slug: "opencode",
  name: "OpenCode",
  package: "opencode-ai",
  programs: [
    "opencode-linux-x64/bin/opencode",
    "opencode-linux-x64-baseline/bin/opencode",
    "opencode-linux-arm64/bin/opencode",
    "opencode-darwin-arm64/bin/opencode",
    "opencode-darwin-x64/bin/opencode",
  ],
  command: "opencode",
  isScript: false,
  files: ({ url, mcp }) => ({
    // It looks up a package at every start, which takes long without a network.
    ".npmrc": "fetch-retries=0\n",
    ".config/opencode/opencode.json": {
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
  env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_LSP_DOWNLOAD: "1" }),
  words: (prompt) => ["run", prompt],
  modes: { plan: (prompt) => ["run", "--agent", "plan", prompt] },
  resumes: (prompt) => ["run", "--continue", prompt],
};
