import type { Adapter, JsonFormat } from "../adapter.ts";

const format: JsonFormat = {
  kind: "json",
  at: ["hooks"],
  members: {},
  shape: "flat",
  handler: { command: "command", members: { show_output: false } },
};

export const windsurf: Adapter = {
  slug: "windsurf",
  name: "Windsurf",
  names: ["cascade", "devin-desktop"],
  programs: ["windsurf"],
  folders: ["~/.codeium/windsurf"],
  user: { folder: "~/.codeium/windsurf", file: "hooks.json", format },
  project: { folder: ".windsurf", file: "hooks.json", format },
  hooks: [
    "pre_read_code",
    "post_read_code",
    "pre_write_code",
    "post_write_code",
    "pre_run_command",
    "post_run_command",
    "pre_mcp_tool_use",
    "post_mcp_tool_use",
    "pre_user_prompt",
    "post_cascade_response",
    "post_setup_worktree",
  ],
  leftOut: {},
  tools: { harmless: [], matcher: "none", harmlessHooks: ["pre_read_code"] },
  // No limit is documented; this is the shortest that agents of its kind have.
  deadline: { gateS: 30, observeS: 10, isFixed: true },
  failing: "runs",
  afterwards: { restart: "Restart Windsurf if it runs." },
  limits: [
    "Windsurf has no switch against a hook that fails: the action runs then.",
    "A yes from Earshot does not spare you its own question, and it can only be refused, never asked.",
    "The rules of the presets do not wait for your answer here: what they ask about is refused.",
    "How long Windsurf waits is not documented: a question waits for half a minute at most.",
    "Not tried with Windsurf itself.",
  ],
};
