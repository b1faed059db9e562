import type { Asked } from "@earshot/policy";
import type { JsonObject } from "@earshot/protocol";
import type { Word } from "../requests/answer.ts";

/** Something that an agent asked, or that a hook showed before it happened, and what became of it. */
export interface PastAsk {
  readonly position: number;
  readonly receivedAt: number;
  readonly session: string;
  readonly sessionKey: number;
  readonly type: string;
  readonly agent: string;
  /** What was put to the rules, in order: an action may be shown first and asked about by the agent itself later. */
  readonly asked: readonly Asked[];
  /** The event, for telling it. */
  readonly event: JsonObject;
  readonly past: Past;
}

/**
 * What happened. `person`: you were asked and answered. `silence`: you were asked, and nobody answered. `elsewhere`: it was
 * settled at the agent's own dialog, or taken back. `rule`: a rule answered. `agent`: nobody was asked here.
 */
export interface Past {
  readonly how: "person" | "silence" | "elsewhere" | "rule" | "agent";
  /** Who answered, for `rule`: its name. */
  readonly by?: string;
  readonly word?: Word;
  /** What was heard of it afterwards. */
  readonly outcome?: "completed" | "failed" | "denied";
}

const YES: ReadonlySet<string> = new Set(["allow", "accept", "continue", "take-over", "respond"]);
const NO: ReadonlySet<string> = new Set(["deny", "reject", "block", "stop", "decline"]);

export function isYes(word: Word | undefined): boolean {
  return word !== undefined && YES.has(word);
}

export function isNo(word: Word | undefined): boolean {
  return word !== undefined && NO.has(word);
}
