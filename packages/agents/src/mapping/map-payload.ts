import type { AepEvent } from "@earshot/protocol";
import { isObject, type JsonValue } from "@earshot/protocol/json";
import { callKey } from "./call-key.ts";
import { toIso } from "./coerce.ts";
import type { CompiledEntry } from "./compile-entry.ts";
import type { CompiledMapping } from "./compile-mapping.ts";
import { addWarning, type MappingScope, type MapWarning } from "./compile-value.ts";
import { completeEvent, type EventDraft, objectIn } from "./draft.ts";

export interface MapOptions {
  /** The hook name passed beside the payload; used when the payload names none. */
  readonly hook?: string | undefined;
  /** Time of receipt, in Unix milliseconds. */
  readonly now: number;
  readonly ids: () => string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Command-line words that rules read as `arg:N`. */
  readonly args?: readonly string[];
}

export interface MappedEvent {
  readonly event: AepEvent;
  /** For events about an action: the key that joins the hooks of one call. */
  readonly call?: MappedCall;
}

export interface MappedCall {
  readonly key: string;
  /** The agent gave no id: `action.id` stands for this call alone until it is joined. */
  readonly derived: boolean;
}

export interface MappedPayload {
  /** The hook's name as the mapping file spells it, or else as the agent does. */
  readonly hook: string | undefined;
  readonly events: readonly MappedEvent[];
  readonly warnings: readonly MapWarning[];
  /** Why there are no events. */
  readonly nothing?: NothingMapped;
}

export interface NothingMapped {
  readonly why: "not-an-object" | "no-hook-name" | "ignored" | "unknown-hook" | "no-match";
  readonly message: string;
}

/**
 * Maps one payload of an agent to AEP events, in the order of the mapping file. Pure and total: it throws for no payload, and every event
 * is valid. Payload values are not copied.
 */
export function mapPayload(compiled: CompiledMapping, payload: JsonValue, options: MapOptions): MappedPayload {
  if (!isObject(payload)) {
    return {
      hook: options.hook,
      events: [],
      warnings: [],
      nothing: { why: "not-an-object", message: "The payload is not a JSON object." },
    };
  }
  const { now, env = {}, args = [] } = options;
  const scope: MappingScope = { at: payload, hook: options.hook, now, env, args, warnings: [], cuts: { originalLength: undefined } };
  const name = compiled.hookIn(scope);
  const hook = name === undefined ? undefined : (compiled.resolveHook(name) ?? name);
  scope.at = compiled.unwrap(payload);
  const named: MappingScope = hook === scope.hook ? scope : { ...scope, hook };
  const events: MappedEvent[] = [];
  for (const entry of compiled.entriesOf(hook)) {
    if (entry.holds?.(named.at) === false) continue;
    events.push(toEvent(entry, named, compiled, options));
    if (entry.first) break;
  }
  if (events.length === 0) {
    const ignored = hook === undefined ? undefined : compiled.ignored.get(hook);
    const fallback = ignored === undefined ? compiled.fallback() : undefined;
    if (fallback === undefined || fallback.holds?.(named.at) === false) {
      return { hook, events, warnings: scope.warnings, nothing: whyNothing(compiled, hook, ignored?.reason) };
    }
    events.push(toEvent(fallback, named, compiled, options));
  }
  return { hook, events, warnings: scope.warnings };
}

function toEvent(entry: CompiledEntry, scope: MappingScope, { mapping }: CompiledMapping, { ids }: MapOptions): MappedEvent {
  const draft: EventDraft = { aep_version: "0.1", id: ids(), type: entry.type, time: "" };
  if (scope.hook !== undefined && scope.hook !== "") draft["hook"] = scope.hook;
  draft["agent"] = mapping.displayName === undefined ? { slug: mapping.agent } : { slug: mapping.agent, display_name: mapping.displayName };
  entry.fill(scope, draft);
  if (draft["time"] === "") draft["time"] = toIso(scope.now) ?? "1970-01-01T00:00:00.000Z";
  const tell = (field: string, message: string) => addWarning(scope, { entry: entry.id, field, message });
  completeEvent(draft, entry.type, tell);
  const call = draft["action"] === undefined ? undefined : toCall(entry, scope, draft);
  // `completeEvent` makes the draft fit its schema: tests check every mapping with every leaf removed.
  const event = draft as unknown as AepEvent;
  return call === undefined ? { event } : { event, call };
}

/** An action without an id gets one of its own and is marked as unjoined. */
function toCall(entry: CompiledEntry, scope: MappingScope, draft: EventDraft): MappedCall {
  const action = objectIn(draft, "action");
  const key = callKey(draft, entry.correlate?.(scope));
  const derived = action["id"] === undefined;
  if (derived) {
    action["id"] = `act_${key}_${String(draft["id"])}`;
    objectIn(draft, "extensions")["x-unjoined"] = true;
  }
  return { key, derived };
}

function whyNothing({ mapping }: CompiledMapping, hook: string | undefined, reason: string | undefined): NothingMapped {
  const agent = mapping.displayName ?? mapping.agent;
  if (hook === undefined) {
    return { why: "no-hook-name", message: `Which hook of ${agent} this is, neither the payload says nor --hook.` };
  }
  if (reason !== undefined) return { why: "ignored", message: `${hook} of ${agent} is left out: ${reason}` };
  const isKnown = mapping.entries.some(({ hooks }) => hooks.includes(hook));
  return isKnown
    ? { why: "no-match", message: `No entry for ${hook} of ${agent} fits this payload.` }
    : { why: "unknown-hook", message: `The mapping for ${agent} has no hook ${JSON.stringify(hook.slice(0, 80))}.` };
}
