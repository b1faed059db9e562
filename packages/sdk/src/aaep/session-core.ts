import type { JsonObject } from "@earshot/protocol";
import { MAX_TEXT_CHARACTERS, toCleanText, toSummaryMembers } from "./clean-text.ts";
import { DEFAULT_STATE_TEXTS } from "./default-texts.ts";
import { AaepEventWriter, type WriteOptions, type WrittenEvent } from "./event-writer.ts";
import { toLanguage } from "./facts.ts";
import { Permits } from "./permit.ts";
import type { AaepSessionPorts } from "./session-ports.ts";
import { type StateChange, StateTrack } from "./state-track.ts";

/** The shared core of a session: event output, state, and whether it has ended. */
export class SessionCore {
  readonly sessionId: string;
  readonly language: string;
  readonly ports: AaepSessionPorts;
  readonly states: StateTrack;
  readonly permits = new Permits();
  readonly #writer: AaepEventWriter;
  readonly #abort = new AbortController();
  /** Reported with the next state change. */
  #nextDurationMs: number | undefined;
  #ended = false;

  constructor(ports: AaepSessionPorts, { language, correlationId }: { readonly language: unknown; readonly correlationId: unknown }) {
    this.ports = ports;
    this.sessionId = ports.newId("sess");
    this.language = toLanguage(language) ?? ports.language;
    this.#writer = new AaepEventWriter({
      sessionId: this.sessionId,
      producer: ports.producer,
      language: this.language,
      correlationId: toCleanText(correlationId, MAX_TEXT_CHARACTERS.name),
      now: () => ports.now(),
      newId: (prefix) => ports.newId(prefix),
    });
    this.states = new StateTrack((change) => this.#tellState(change));
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Undefined after the session's end. */
  emit(type: string, payload: Readonly<Record<string, unknown>>, manner?: WriteOptions): WrittenEvent | undefined {
    if (this.#ended) {
      this.ports.ignored();
      return undefined;
    }
    const written = this.#writer.write(type, withoutGaps(payload), manner);
    this.ports.put(written);
    return written;
  }

  /** Sends the final event. */
  tellLast(type: string, payload: Readonly<Record<string, unknown>>, manner?: WriteOptions): void {
    this.emit(type, payload, manner);
    this.#ended = true;
  }

  callOff(message: string, name: "AbortError" | "TimeoutError" = "AbortError"): void {
    this.#abort.abort(new DOMException(message, name));
  }

  expectDuration(ms: number | undefined): void {
    this.#nextDurationMs = ms;
  }

  #tellState({ from, to, summary, about }: StateChange): void {
    const otherwise = DEFAULT_STATE_TEXTS[to] ?? `${to.replaceAll("_", " ")}.`;
    const payload = { from_state: from, to_state: to, ...toSummaryMembers(summary, otherwise), expected_duration_ms: this.#nextDurationMs };
    this.#nextDurationMs = undefined;
    if (about === undefined) {
      this.emit("state.changed", payload, { urgency: "background", ownWords: summary === undefined });
      return;
    }
    const { question, ending } = about;
    const isLate = "why" in ending && ending.why === "time";
    this.emit("state.changed", payload, {
      ownWords: true,
      extension: { resolved: question.token, outcome: ending.how },
      ...(isLate ? { notBeforeMs: question.askedMs + question.timeoutMs } : {}),
    });
  }
}

/** Drops members without a value. */
function withoutGaps(payload: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined)) as JsonObject;
}
