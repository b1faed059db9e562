import type { AgentCard, HandlerShape, JsonFormat } from "@earshot/agents";
import type { JsonObject, JsonValue } from "@earshot/protocol/json";
import type { JsonEntry } from "./edit/edit-json.ts";
import type { TomlTable } from "./edit/edit-toml.ts";
import type { YamlEntry } from "./edit/edit-yaml.ts";
import { runsLauncher } from "./hook-command.ts";
import type { Registration } from "./registrations.ts";

/** The command of a registration, and its URL if events go over HTTP. */
export interface RegisteredCall {
  readonly command: string;
  readonly url?: string;
  /** The command is written for PowerShell. */
  readonly isPowershell?: boolean;
}

/** The environment variable with the credential for HTTP hooks: settings are copied and shared, so they must not contain it. */
export const TOKEN_VARIABLE = "EARSHOT_PRODUCER_TOKEN";

export type RegisteredCallOf = (registration: Registration) => RegisteredCall;

/** The path of an agent's hook events in its settings file. */
export function eventsAt({ at }: JsonFormat, root: JsonObject | undefined): readonly string[] {
  if (!("bareOr" in at)) return at;
  const isBare = root !== undefined && Object.keys(root).length > 0 && root[at.bareOr] === undefined;
  return isBare ? [] : [at.bareOr];
}

export function jsonEntries(
  card: AgentCard,
  format: JsonFormat,
  {
    registrations,
    at,
    callOf,
  }: { readonly registrations: readonly Registration[]; readonly at: readonly string[]; readonly callOf: RegisteredCallOf },
): readonly JsonEntry[] {
  return registrations.map((registration) => {
    const { hook, matcher, moment } = registration;
    const handler = handlerOf(card, format, registration, callOf(registration));
    const matching: JsonObject = matcher === undefined ? {} : { matcher };
    if (format.shape === "list") return { at, value: { ...handler, ...matching } };
    const isTool = ["before_action", "permission", "after_action"].includes(moment) || hook === "PostToolUse";
    const grouped = format.shape === "groups" || (format.shape === "tools-grouped" && isTool);
    return { at: [...at, hook], value: grouped ? { ...matching, hooks: [handler] } : { ...handler, ...matching } };
  });
}

function handlerOf(
  card: AgentCard,
  { handler }: JsonFormat,
  registration: Registration,
  { command, url, isPowershell = false }: RegisteredCall,
): JsonObject {
  const { hook, timeoutS, failsClosed, watchOnly } = registration;
  const { timeout, on } = handler;
  const members = url === undefined ? handler.members : { ...handler.members, type: "http" };
  const how = url === undefined ? commandOf(handler, command, isPowershell) : httpOf(url);
  return {
    ...members,
    ...(on === undefined ? {} : { [on.member]: hook }),
    ...how,
    ...(timeout === undefined ? {} : { [timeout.member]: timeout.unit === "ms" ? timeoutS * 1000 : timeoutS }),
    ...(watchOnly && url === undefined ? handler.watchOnly : {}),
    ...(failsClosed ? card.failClosed : {}),
  };
}

function commandOf({ command: where }: HandlerShape, command: string, isPowershell: boolean): JsonObject {
  if (where === "action") return { action: { type: "command", command } };
  if (where === "bash") return { [isPowershell ? "powershell" : "bash"]: command };
  return { command };
}

function httpOf(url: string): JsonObject {
  return { url, headers: { authorization: `Bearer $${TOKEN_VARIABLE}` }, allowedEnvVars: [TOKEN_VARIABLE] };
}

export function tomlTables(registrations: readonly Registration[], callOf: RegisteredCallOf): readonly TomlTable[] {
  return registrations.map((registration) => ({
    event: registration.hook,
    command: callOf(registration).command,
    timeout: registration.timeoutS,
  }));
}

export function yamlEntries(registrations: readonly Registration[], callOf: RegisteredCallOf): readonly YamlEntry[] {
  return registrations.map((registration) => ({
    event: registration.hook,
    value: { command: callOf(registration).command, timeout: registration.timeoutS },
  }));
}

/** Whether an entry is Earshot's: it runs the launcher or calls the hub's hook URL. */
export function isOwn(value: JsonValue): boolean {
  if (typeof value === "string")
    return runsLauncher(value) || /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d+\/hooks\/[a-z]+\b/.test(value);
  if (Array.isArray(value)) return value.some(isOwn);
  return typeof value === "object" && value !== null && Object.values(value).some((one) => isOwn(one as JsonValue));
}
