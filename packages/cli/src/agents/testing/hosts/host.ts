import { isObject, type JsonObject } from "@earshot/protocol/json";
import type { HookProcessEnd } from "../../run-line.ts";

/** The agent's reaction. */
export interface HostVerdict {
  /** `ran`: it runs, or the agent's own rules decide as without a hook; `asked`: the agent prompts. */
  readonly effect: "ran" | "blocked" | "asked";
  /** Explained in the agent's own logic. */
  readonly why: string;
  /** The message for the model or the person. */
  readonly message?: string;
  /** The input that runs instead. */
  readonly input?: JsonObject;
  readonly context?: string;
  /** The hook's answer replaces the agent's own prompt. */
  readonly granted?: true;
  /** The hook counts as failed. */
  readonly failed?: true;
  /** The whole run ends. */
  readonly stops?: true;
}

export interface ShellCall {
  readonly session: string;
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
}

export interface HostSettings {
  /** Whether the agent's fail-closed setting is on. */
  readonly failsClosed: boolean;
}

/**
 * An agent as its documentation describes it, limited to the hook before a shell command. It only proves our reading of the
 * documentation; only the real agent shows what it does.
 */
export interface SimulatedHost {
  /** The slug its hooks are registered under. */
  readonly agent: string;
  readonly name: string;
  /** The hook before a shell command. */
  readonly hook: string;
  /** The hook's input. */
  payload(call: ShellCall): JsonObject;
  judge(run: HookProcessEnd, settings: HostSettings): HostVerdict;
}

export function ranVerdict(why: string, more: Partial<HostVerdict> = {}): HostVerdict {
  return { effect: "ran", why, ...more };
}

export function blockedVerdict(why: string, message?: unknown, more: Partial<HostVerdict> = {}): HostVerdict {
  return { effect: "blocked", why, ...(typeof message === "string" && message !== "" ? { message } : {}), ...more };
}

export function askedVerdict(why: string, message?: unknown): HostVerdict {
  return { effect: "asked", why, ...(typeof message === "string" ? { message } : {}) };
}

/** The result of a failed hook, depending on a fail-closed setting. */
export function failedVerdict(why: string, { failsClosed }: HostSettings): HostVerdict {
  if (failsClosed) return { ...blockedVerdict(`${why}, and the agent is told to refuse then`), failed: true };
  return ranVerdict(`${why}, and the agent goes on then`, { failed: true });
}

/** Output that is exactly one JSON object; otherwise undefined. */
export function readOnlyObject(output: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(output);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // text, or nothing
  }
}

export function objectAt(value: JsonObject | undefined, key: string): JsonObject | undefined {
  const found = value?.[key];
  return isObject(found) ? found : undefined;
}

export function textAt(value: JsonObject | undefined, key: string): string | undefined {
  const found = value?.[key];
  return typeof found === "string" ? found : undefined;
}
