import { type Adapter, type JsonFormat, LONGEST_S } from "../adapter.ts";

const format: JsonFormat = {
  kind: "json",
  at: ["hooks"],
  members: {},
  shape: "flat",
  handler: { command: "command", timeout: { member: "timeout", unit: "s" }, members: { name: "earshot" } },
};

export const crush: Adapter = {
  slug: "crush",
  name: "Crush",
  names: [],
  programs: ["crush"],
  folders: ["~config/crush"],
  user: { folder: "~config/crush", file: "crush.json", format },
  project: { folder: ".", file: "crush.json", format, otherwise: { file: ".crush.json", format } },
  hooks: ["PreToolUse", "PreCompact"],
  leftOut: Object.fromEntries(
    [
      "SessionStart",
      "SessionEnd",
      "TurnStart",
      "PermissionRequest",
      "PermissionResult",
      "PostToolUse",
      "PostToolUseFailure",
      "TurnEnd",
      "StopFailure",
      "Interrupt",
      "PostCompact",
    ].map((name) => [name, "only one text lists it, and nobody confirms it"]),
  ),
  tools: { harmless: [], matcher: "none" },
  deadline: { gateS: LONGEST_S, observeS: 10 },
  failing: "runs",
  afterwards: { restart: "Restart Crush if it runs." },
  limits: ["What Crush's sub-agents do passes no hook.", "Not tried with Crush itself."],
};
