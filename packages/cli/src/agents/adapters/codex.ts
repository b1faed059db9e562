import { type Adapter, type JsonFormat, LONGEST_S } from "../adapter.ts";

const format: JsonFormat = {
  kind: "json",
  at: ["hooks"],
  members: {},
  shape: "groups",
  handler: { command: "command", timeout: { member: "timeout", unit: "s" }, members: { type: "command" } },
};

export const codex: Adapter = {
  slug: "codex",
  name: "Codex CLI",
  names: ["codex-cli"],
  programs: ["codex"],
  folders: ["~/.codex"],
  user: { folder: "~/.codex", variable: "CODEX_HOME", file: "hooks.json", format },
  project: { folder: ".codex", file: "hooks.json", format },
  hooks: [
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreToolUse",
    "PermissionRequest",
    "PostToolUse",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "Stop",
    "Interrupt",
  ],
  leftOut: { StopFailure: "it is in the source, and in no document" },
  // A regular expression of Rust cannot say "all but these".
  tools: { harmless: [], matcher: "none" },
  deadline: { gateS: LONGEST_S, observeS: 10, hooksS: { SessionEnd: 3, Interrupt: 3, Stop: 30, SubagentStop: 30, PostToolUse: 30 } },
  failing: "runs",
  afterwards: {
    trust:
      "Start Codex and trust the hooks of Earshot when it asks, or type /hooks. Until then it skips them; `codex exec` does so without a word.",
  },
  limits: [
    "Codex has no switch against a hook that fails: the tool runs then.",
    "Web search and input to a command that runs already do not pass a hook.",
  ],
};
