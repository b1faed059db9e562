import type { Adapter } from "../adapter.ts";
import { opencode } from "./opencode.ts";

export const kilo: Adapter = {
  ...opencode,
  slug: "kilo",
  name: "Kilo Code",
  names: ["kilo-code", "kilocode"],
  programs: ["kilo", "kilocode"],
  folders: ["~config/kilo"],
  user: { folder: "~config/kilo", file: "plugins/earshot.js", format: { kind: "plugin", plugin: "kilo" } },
  project: { folder: ".kilo", file: "plugins/earshot.js", format: { kind: "plugin", plugin: "kilo" } },
  afterwards: { restart: "Restart Kilo Code if it runs." },
  limits: [
    "The plugin runs inside Kilo Code. If it cannot run the hook, it refuses the tools that can change something.",
    "Tried with Kilo Code's command line, and not with its extensions.",
  ],
};
