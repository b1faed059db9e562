import { closeCall, type JoinedEvent, joinCalls, type MappedEvent, NO_CALLS, type SessionCalls } from "@earshot/agents";
import { readToolInput } from "@earshot/policy";
import type { AepEvent, JsonObject, JsonValue } from "@earshot/protocol";
import { BoundedMap } from "../recent.ts";
import { canonicalJson } from "../requests/question.ts";

const SESSIONS_AT_HAND = 512;
const CALLS_AT_HAND = 1000;
/** Larger events are not kept for a second report of the call, which then asks on its own. */
const LARGEST_AT_HAND = 256 * 1024;

/** State of calls between two hooks about them. */
export class CallMemory {
  readonly #calls = new BoundedMap<SessionCalls>(SESSIONS_AT_HAND);
  /** The asked events by call, so that a second hook about the same call asks the same question. */
  readonly #asked = new BoundedMap<AskedEvent>(CALLS_AT_HAND);
  readonly #blocks = new BoundedMap<number>(SESSIONS_AT_HAND);

  /** Gives events of one call the call's id. */
  join(scope: string, events: readonly MappedEvent[], call: Parameters<typeof joinCalls>[2]): readonly JoinedEvent[] {
    const { state, events: joined } = joinCalls(this.#calls.get(scope) ?? NO_CALLS, events, call);
    this.#calls.set(scope, state);
    return joined;
  }

  /** The event with which another hook asked the same question, or else this one. */
  sharedText(key: string, event: AepEvent): string {
    const known = this.#asked.get(key);
    if (known !== undefined && asksTheSame(known.event, event)) return known.text;
    const text = JSON.stringify(event);
    if (known === undefined && text.length <= LARGEST_AT_HAND) this.#asked.set(key, { event, text });
    return text;
  }

  /** A refused call is closed: a later one that looks the same is another call. */
  refused(scope: string, event: AepEvent): void {
    const state = this.#calls.get(scope);
    if (state !== undefined && event.action?.id !== undefined) this.#calls.set(scope, closeCall(state, event.action.id));
  }

  mayBlock(scope: string, payload: JsonObject): boolean {
    const { may, blocks } = mayBlockAgain(payload, this.#blocks.get(scope) ?? 0);
    this.#blocks.set(scope, blocks);
    return may;
  }
}

interface AskedEvent {
  readonly event: AepEvent;
  readonly text: string;
}

/**
 * Whether two hooks ask about the same action: equal tool and input for hooks of one kind. Two kinds of hooks of one agent, such as
 * Cursor's `preToolUse` and `beforeShellExecution`, may send different members, so command and files are compared.
 */
function asksTheSame(one: AepEvent, other: AepEvent): boolean {
  if (one.id === other.id) return true;
  const isOneKind = one.hook === other.hook;
  return canonicalJson(isOneKind ? toolUse(one) : effectOf(one)) === canonicalJson(isOneKind ? toolUse(other) : effectOf(other));
}

function toolUse({ tool, server, action }: AepEvent): JsonValue {
  return { tool: tool?.original_name ?? tool?.name ?? null, server: server?.name ?? null, input: (action?.input ?? null) as JsonValue };
}

function effectOf(event: AepEvent): JsonValue {
  const { command, shell, runsIn, paths } = readToolInput(event.tool?.name ?? "", event.action?.input as JsonValue | undefined);
  if (command === undefined) return toolUse(event);
  return { command, shell: shell ?? null, runsIn: runsIn ?? null, paths: (paths ?? []) as unknown as JsonValue };
}

/** How often an agent may be sent back in one turn; some agents have no limit of their own. */
const MAX_BLOCKS = 3;

/** Whether the end of a turn may be blocked again, according to the payload and earlier blocks. */
function mayBlockAgain(payload: JsonObject, before: number): { readonly may: boolean; readonly blocks: number } {
  const { stop_hook_active: isActive, loop_count: loops } = payload;
  const counted = isActive === true ? before : 0;
  const blocks = typeof loops === "number" && loops > counted ? loops : counted;
  return blocks >= MAX_BLOCKS ? { may: false, blocks } : { may: true, blocks: blocks + 1 };
}
