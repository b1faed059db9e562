import { EARSHOT_CONTEXT, EARSHOT_PREFIX } from "@earshot/aaep/speaking";
import type { JsonObject } from "@earshot/protocol";

const CORE_CONTEXT = "https://aaep-protocol.org/context/v1";
/** The most that every transport carries. */
const MAX_EVENT_BYTES = 65_536;
/** Where an event is too large, its texts are cut to these lengths, until it is not. */
const SHORTER = [4096, 1024, 200] as const;
/** Our own words are English, whatever the agent speaks. */
const OWN_LANGUAGE = "en";
/** A timer may be a little early, and clocks a little apart: so much is forgiven. */
const FORGIVEN_MS = 2000;

export interface Producer {
  readonly agent_id: string;
  readonly agent_version?: string;
  readonly agent_name?: string;
  readonly model?: string;
  readonly manifest_uri?: string;
}

export interface EventWriterOptions {
  readonly sessionId: string;
  readonly producer: Producer;
  readonly language: string;
  readonly correlationId: string | undefined;
  readonly now: () => number;
  readonly newId: (prefix: "evt") => string;
}

export interface Manner {
  readonly urgency?: "background" | "normal" | "critical";
  /** Nothing in it is the agent's: it is in our language. */
  readonly ownWords?: boolean;
  /** It follows from a deadline, which is past when it is told. */
  readonly notBeforeMs?: number;
  readonly extension?: JsonObject;
}

export interface Written {
  readonly event: JsonObject;
  /** Compact JSON on one line. */
  readonly text: string;
  readonly ms: number;
}

/**
 * Writes the events of one session. They are not numbered: what subscribers get may be filtered and merged, and a stream with
 * numbers missing would be a broken one.
 */
export class EventWriter {
  readonly #options: EventWriterOptions;
  #lastMs = 0;

  constructor(options: EventWriterOptions) {
    this.#options = options;
  }

  write(type: string, payload: JsonObject, manner: Manner = {}): Written {
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

/** Texts are cut, and what is no text and large is left out. */
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
