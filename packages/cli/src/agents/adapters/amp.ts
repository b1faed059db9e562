import { type Adapter, LONGEST_S } from "../adapter.ts";

export const amp: Adapter = {
  slug: "amp",
  name: "Amp",
  names: [],
  programs: ["amp"],
  folders: ["~config/amp"],
  user: { folder: "~config/amp", file: "plugins/earshot.ts", format: { kind: "plugin", plugin: "amp" } },
  project: { folder: ".amp", file: "plugins/earshot.ts", format: { kind: "plugin", plugin: "amp" } },
  hooks: ["session.start", "agent.start", "tool.call", "tool.result", "agent.end"],
  leftOut: {},
  tools: { harmless: ["Read", "Grep", "glob", "finder", "list_directory", "todo_read", "todo_write"], matcher: "none" },
  deadline: { gateS: LONGEST_S, observeS: 30 },
  failing: "blocks",
  afterwards: { restart: "Restart Amp if it runs." },
  limits: [
    "The plugin runs inside Amp. If it cannot run the hook, it refuses the tools that can change something.",
    "Not tried with Amp itself.",
  ],
};
