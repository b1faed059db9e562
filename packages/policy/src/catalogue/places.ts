import { AGENT_PATHS } from "@earshot/protocol/coding-agents";
import { joinLines } from "./names.ts";
import places from "./places.json" with { type: "json" };

/** Files and folders that are harmful to change. The patterns are those of rules: see match/path-pattern.ts. */
export interface ProtectedPlace {
  readonly effect: string;
  readonly paths: readonly string[];
  readonly except?: readonly string[];
  /** A path with the effect, and a similar one without it. */
  readonly example: string;
  readonly counterexample: string;
  /** Applies even if it is only guessed that a program writes to the path. */
  readonly guessed?: true;
}

export const PROTECTED_PLACES: readonly ProtectedPlace[] = places.map(({ paths, except, guessed, ...place }) => ({
  ...place,
  paths: [...(place.effect === "agent-settings" ? AGENT_PATHS : []), ...joinLines(paths).split(" ")],
  ...(except === undefined ? {} : { except: joinLines(except).split(" ") }),
  ...(guessed === true ? { guessed } : {}),
}));
