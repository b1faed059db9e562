import { toSlug } from "@earshot/agents";
import type { Adapter } from "./adapter.ts";
import { amp } from "./adapters/amp.ts";
import { antigravity } from "./adapters/antigravity.ts";
import { auggie } from "./adapters/auggie.ts";
import { claude } from "./adapters/claude.ts";
import { cline } from "./adapters/cline.ts";
import { codex } from "./adapters/codex.ts";
import { crush } from "./adapters/crush.ts";
import { cursor } from "./adapters/cursor.ts";
import { devin } from "./adapters/devin.ts";
import { droid } from "./adapters/droid.ts";
import { gemini } from "./adapters/gemini.ts";
import { github } from "./adapters/github.ts";
import { goose } from "./adapters/goose.ts";
import { hermes } from "./adapters/hermes.ts";
import { kilo } from "./adapters/kilo.ts";
import { kimi } from "./adapters/kimi.ts";
import { kiro } from "./adapters/kiro.ts";
import { opencode } from "./adapters/opencode.ts";
import { openhands } from "./adapters/openhands.ts";
import { pi } from "./adapters/pi.ts";
import { qwen } from "./adapters/qwen.ts";
import { windsurf } from "./adapters/windsurf.ts";

/** The agents that can be registered with, those that are drilled first. */
export const ADAPTERS: readonly Adapter[] = [
  claude,
  codex,
  cursor,
  gemini,
  github,
  opencode,
  qwen,
  windsurf,
  cline,
  antigravity,
  droid,
  devin,
  openhands,
  kiro,
  kimi,
  kilo,
  auggie,
  goose,
  crush,
  amp,
  hermes,
  pi,
];

/** By any of its names. */
export function findAdapter(name: string): Adapter | undefined {
  const slug = toSlug(name);
  return ADAPTERS.find((adapter) => adapter.slug === slug || adapter.names.includes(name.trim().toLowerCase()));
}
