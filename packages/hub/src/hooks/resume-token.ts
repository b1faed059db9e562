import type { MappedEvent } from "@earshot/agents";
import type { AepEvent } from "@earshot/protocol";
import { isObject, readJson } from "@earshot/protocol/json";

/**
 * What a hook brings when it asks again: all that was made up when it asked first, so that the same payload becomes the same
 * events. It holds nothing that whoever asks could not have chosen itself.
 */
export interface Resume {
  /** The request that waits. */
  readonly request: string;
  /** Which of the events asks. */
  readonly index: number;
  /** When it asked first, in milliseconds since 1970. */
  readonly at: number;
  /** The ids of its events, in their order. */
  readonly ids: readonly string[];
  /** The ids of the calls they belong to; empty where there is none. */
  readonly calls: readonly string[];
}

const MOST_EVENTS = 32;
const LONGEST_ID = 200;

export function writeResume(resume: Resume): string {
  return Buffer.from(JSON.stringify(resume)).toString("base64url");
}

/** Undefined for what we have not written. */
export function readResume(text: string): Resume | undefined {
  const read = readJson(Buffer.from(text, "base64url").toString("utf8"));
  if (!read.ok || !isObject(read.value)) return undefined;
  const { request, index, at, ids, calls } = read.value;
  if (typeof request !== "string" || typeof index !== "number" || typeof at !== "number") return undefined;
  if (!Number.isSafeInteger(at) || !isIds(ids) || !isIds(calls)) return undefined;
  return { request, index, at, ids, calls };
}

/** The events of a payload that was heard before, with the calls they were found to belong to. */
export function rejoin(events: readonly MappedEvent[], { calls }: Resume): readonly AepEvent[] {
  return events.map(({ event }, index) => {
    const id = calls[index] ?? "";
    if (id === "" || event.action === undefined) return event;
    const { "x-unjoined": _joined, ...extensions } = event.extensions ?? {};
    const { extensions: _old, ...rest } = { ...event, action: { ...event.action, id } };
    return Object.keys(extensions).length === 0 ? rest : { ...rest, extensions };
  });
}

function isIds(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= MOST_EVENTS && value.every((id) => typeof id === "string" && id.length <= LONGEST_ID);
}
