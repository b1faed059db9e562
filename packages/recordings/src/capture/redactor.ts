import { IDENTITY_POINTERS, type OpenTexts, redactChunkEvent, redactJson, secretInIdentity } from "@earshot/hub/redact";
import type { ReadableEvent } from "./read-event.ts";

/** Maximum sessions with remembered partial texts. */
const MAX_SESSIONS = 200;

export type RedactedEvent = { readonly ok: true; readonly text: string; readonly masked: number } | { readonly ok: false };

/** Masks secrets like the hub, including secrets split over several events. */
export class Redactor {
  readonly #sessions = new Map<string, OpenTexts>();

  /** Not `ok` if an id contains a secret, because masking it would change the event. */
  redact({ text, reading, session }: ReadableEvent): RedactedEvent {
    const { protocol } = reading;
    if (secretInIdentity(protocol, reading.value) !== undefined) return { ok: false };
    const first = redactJson(text, reading.value, { skip: IDENTITY_POINTERS[protocol] });
    const key = `${protocol} ${session}`;
    const open: OpenTexts = this.#sessions.get(key) ?? new Map();
    const value = first?.value ?? reading.value;
    const second = redactChunkEvent(open, { ...reading, value }, first?.text ?? text);
    this.#keep(key, open);
    return { ok: true, text: second?.text ?? first?.text ?? text, masked: (first?.marks.length ?? 0) + (second?.marks.length ?? 0) };
  }

  #keep(key: string, open: OpenTexts): void {
    this.#sessions.delete(key);
    if (open.size === 0) return;
    this.#sessions.set(key, open);
    for (const oldest of this.#sessions.keys()) {
      if (this.#sessions.size <= MAX_SESSIONS) break;
      this.#sessions.delete(oldest);
    }
  }
}
