import { EARSHOT_CONTEXT, EARSHOT_PREFIX } from "@earshot/aaep/speaking";
import type { JsonObject } from "@earshot/protocol";

const CORE_CONTEXT = "https://aaep-protocol.org/context/v1";
/** The maximum that every transport carries. */
const MAX_EVENT_BYTES = 65_536;
/** Text limits tried in turn on an event that is too large. */
const SHORTER = [4096, 1024, 200] as const;
/** The SDK's own texts are English, whatever the agent's language. */
const OWN_LANGUAGE = "en";
/** Tolerance for early timers and clock differences. */
const FORGIVEN_MS = 2000;

export interface Producer {
  readonly agent_id: string;
  readonly agent_version?: string;
  readonly agent_name?: string;
  readonly model?: string;
  readonly manifest_uri?: string;
}

export interface AaepEventWriterOptions {
  readonly sessionId: string;
  readonly producer: Producer;
  readonly language: string;
  readonly correlationId: string | undefined;
  readonly now: () => number;
  readonly newId: (prefix: "evt") => string;
}

export interface WriteOptions {
  readonly urgency?: "background" | "normal" | "critical";
  /** All texts are the SDK's own, hence in its language. */
  readonly ownWords?: boolean;
  /** A deadline this event follows; its timestamp must not be earlier. */
  readonly notBeforeMs?: number;
  readonly extension?: JsonObject;
}

export interface WrittenEvent {
  readonly event: JsonObject;
  /** Compact JSON on one line. */
  readonly text: string;
  readonly ms: number;
}

/**
 * Writes the events of one session. They are not numbered: subscribers get a filtered and merged stream, which would seem broken with
 * numbers missing.
 */
export class AaepEventWriter {
  readonly #options: AaepEventWriterOptions;
  #lastMs = 0;

  constructor(options: AaepEventWriterOptions) {
    this.#options = options;
  }

  write(type: string, payload: JsonObject, manner: WriteOptions = {}): WrittenEvent {
    const { sessionId, producer, language, correlationId, newId } = this.#options;
    const { urgency = "normal", ownWords = false, extension } = manner;
    const ms = this.#stamp(manner.notBeforeMs);
    const envelope = {
      "@context": extension === undefined ? CORE_CONTEXT : [CORE_CONTEXT, EARSHOT_CONTEXT],
      aaep_version: "1.0.0",
      type: `aaep:agent.${type}`,
      event_id: newId("evt"),
      session_id: sessionId,
      timestamp: new Date(ms).toISOString(),
      producer,
      verbosity: "normal",
      urgency,
      localization_hints: { primary_language: ownWords ? OWN_LANGUAGE : language },
      ...(correlationId === undefined ? {} : { correlation_id: correlationId }),
    };
    const rest = extension === undefined ? {} : { extensions: { [EARSHOT_PREFIX]: extension } };
    for (const most of [Number.POSITIVE_INFINITY, ...SHORTER]) {
      const event = { ...envelope, ...shorten(payload, most), ...rest } as unknown as JsonObject;
      const text = JSON.stringify(event);
      if (text.length * 3 <= MAX_EVENT_BYTES || new TextEncoder().encode(text).length <= MAX_EVENT_BYTES) return { event, text, ms };
    }
    throw new Error("An event that is too large however much is left out of it.");
  }

  /** A clock that is set back must not make the session run backwards. */
  #stamp(notBeforeMs = 0): number {
    const now = this.#options.now();
    const late = notBeforeMs > now && notBeforeMs - now <= FORGIVEN_MS ? notBeforeMs : now;
    this.#lastMs = Math.max(this.#lastMs, late);
    return this.#lastMs;
  }
}

/** Cuts texts and drops large values that are not text. */
function shorten(payload: JsonObject, most: number): JsonObject {
  if (most === Number.POSITIVE_INFINITY) return payload;
  return Object.fromEntries(
    Object.entries(payload).map(([name, value]) => {
      if (typeof value === "string" && value.length > most) return [name, `${value.slice(0, most).toWellFormed()}…`];
      const isLarge = typeof value === "object" && value !== null && !Array.isArray(value) && JSON.stringify(value).length > most;
      return [name, isLarge ? { left_out: "too large" } : value];
    }),
  );
}
