import { FEWER_PROMPTS } from "./fewer-prompts.ts";
import { GUARD } from "./guard.ts";
import { WATCH_ONLY } from "./watch-only.ts";

/** The policies that ship, as the texts that they are. */
export const PRESETS: Readonly<Record<string, string>> = {
  "watch-only": WATCH_ONLY,
  guard: GUARD,
  "fewer-prompts": FEWER_PROMPTS,
};
