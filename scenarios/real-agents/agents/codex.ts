import type { RealAgent } from "../real-agent.ts";

export const codex: RealAgent = {
  slug: "codex",
  name: "Codex CLI",
  package: "@openai/codex",
  programs: [
    "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
    "@openai/codex-linux-arm64/vendor/aarch64-unknown-linux-musl/bin/codex",
    "@openai/codex-darwin-arm64/vendor/aarch64-apple-darwin/bin/codex",
    "@openai/codex-darwin-x64/vendor/x86_64-apple-darwin/bin/codex",
  ],
  command: "codex",
  isScript: false,
  files: ({ url, mcp: [command, ...args] }) => ({
    ".codex/config.toml": `model = "scripted"
model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"

[mcp_servers.tests]
command = ${JSON.stringify(command)}
args = ${JSON.stringify(args)}
`,
  }),
  env: () => ({ SCRIPTED_KEY: "scripted" }),
  // Its sandbox needs privileges that a namespace may lack. Trust, normally given in the terminal, is skipped.
  words: (prompt) => [
    "exec",
    "--skip-git-repo-check",
    "--dangerously-bypass-approvals-and-sandbox",
    "--dangerously-bypass-hook-trust",
    prompt,
  ],
  resumes: (prompt) => [
    "exec",
    "--skip-git-repo-check",
    "--dangerously-bypass-approvals-and-sandbox",
    "--dangerously-bypass-hook-trust",
    "resume",
    "--last",
    prompt,
  ],
};
