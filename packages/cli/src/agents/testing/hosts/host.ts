import { isObject, type JsonObject } from "@earshot/protocol/json";
import type { HookRun } from "../../run-line.ts";

/** What the agent does with the tool then. */
export interface HostVerdict {
  /** `ran`: it runs, or the agent's own rules decide as if there were no hook; `asked`: the agent asks the person. */
  readonly effect: "ran" | "blocked" | "asked";
  /** In the agent's own logic, for a person. */
  readonly why: string;
  /** What the model or the person is told. */
  readonly message?: string;
  /** What runs instead of what was asked for. */
  readonly input?: JsonObject;
  readonly context?: string;
  /** The hook's word spares the person the agent's own question. */
  readonly granted?: true;
  /** The hook counts as one that failed. */
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
  /** Whether the agent's own switch against failing hooks is set. */
  readonly failsClosed: boolean;
}

/**
 * An agent as its documents describe it, as far as a hook before a shell command goes. It proves only that we read the documents
 * as we do: what the agent really does, only the agent can show.
 */
export interface SimulatedHost {
  /** The slug under which its hooks are registered. */
  readonly agent: string;
  readonly name: string;
  /** The hook that stands before a shell command. */
  readonly hook: string;
  /** What the hook reads. */
  payload(call: ShellCall): JsonObject;
  judge(run: HookRun, settings: HostSettings): HostVerdict;
}

export function ran(why: string, more: Partial<HostVerdict> = {}): HostVerdict {
  return { effect: "ran", why, ...more };
}

export function blocked(why: string, message?: unknown, more: Partial<HostVerdict> = {}): HostVerdict {
  return { effect: "blocked", why, ...(typeof message === "string" && message !== "" ? { message } : {}), ...more };
}

export function asked(why: string, message?: unknown): HostVerdict {
  return { effect: "asked", why, ...(typeof message === "string" ? { message } : {}) };
}

/** A hook that failed, in an agent that may have a switch for that. */
export function failed(why: string, { failsClosed }: HostSettings): HostVerdict {
  if (failsClosed) return { ...blocked(`${why}, and the agent is told to refuse then`), failed: true };
  return ran(`${why}, and the agent goes on then`, { failed: true });
}

/** A JSON object that is all of the output; undefined for anything else. */
export function readObject(output: string): JsonObject | undefined {
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
