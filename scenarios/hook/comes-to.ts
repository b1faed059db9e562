import type { Fate } from "./hook-bench.ts";

/** The documented result for a tool when a rule allows it, and when a rule asks and nobody waits. */
export const COMES_TO: Readonly<Record<string, { readonly allow: Fate; readonly ask: Fate }>> = {
  "Claude Code": { allow: "ran", ask: "asked" },
  "Codex CLI": { allow: "left", ask: "blocked" },
  Cursor: { allow: "ran", ask: "asked" },
  "Cursor, any tool": { allow: "ran", ask: "blocked" },
  "Gemini CLI": { allow: "left", ask: "asked" },
  // Silence leads to its own prompt.
  Crush: { allow: "ran", ask: "left" },
  "GitHub Copilot CLI": { allow: "ran", ask: "asked" },
  "VS Code": { allow: "ran", ask: "asked" },
  // It has prompted by then, or need not.
  "Qwen Code": { allow: "left", ask: "asked" },
  Windsurf: { allow: "left", ask: "blocked" },
  Cline: { allow: "left", ask: "blocked" },
  "Factory Droid": { allow: "ran", ask: "asked" },
  "Devin CLI": { allow: "ran", ask: "blocked" },
  Antigravity: { allow: "ran", ask: "asked" },
  OpenHands: { allow: "left", ask: "blocked" },
  Kiro: { allow: "left", ask: "blocked" },
  "Kimi Code": { allow: "left", ask: "blocked" },
  Augment: { allow: "left", ask: "blocked" },
  goose: { allow: "left", ask: "blocked" },
  Hermes: { allow: "left", ask: "blocked" },
  OpenCode: { allow: "left", ask: "blocked" },
  "Kilo Code": { allow: "left", ask: "blocked" },
  Amp: { allow: "left", ask: "left" },
  Pi: { allow: "left", ask: "blocked" },
};
