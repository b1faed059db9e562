import { type ChunkState, createChunkState, IDENTITY_POINTERS, redactChunkEvent, redactJson, secretInIdentity } from "@earshot/hub/redact";
import { isObject, type JsonObject } from "@earshot/protocol";
import type { Said } from "./read-said.ts";

/** Sessions whose texts in pieces are remembered. */
const MOST_SESSIONS = 200;

export type RedactedSaid = { readonly ok: true; readonly text: string; readonly masked: number } | { readonly ok: false };

/** Masks the secrets in what is written, as the hub does before it stores: also one that is told in pieces. */
export class Redactor {
  readonly #chunks = new Map<string, ChunkState>();

  /** `kept`: from an earlier capture. */
  constructor(kept: JsonObject = {}) {
    for (const [session, state] of Object.entries(kept)) {
      if (isObject(state) && Array.isArray(state["open"])) this.#chunks.set(session, structuredClone(state) as unknown as ChunkState);
    }
  }

  /** Where secrets may go on; of secrets themselves there is nothing in it. */
  get kept(): JsonObject {
    return Object.fromEntries(this.#chunks) as unknown as JsonObject;
  }

  /** Not `ok` where a secret is in one of the ids: masked, it would be another event. */
  redact({ text, reading, session }: Said): RedactedSaid {
    const { protocol } = reading;
    if (secretInIdentity(protocol, reading.value) !== undefined) return { ok: false };
    const first = redactJson(text, reading.value, { skip: IDENTITY_POINTERS[protocol] });
    const key = `${protocol} ${session}`;
    const state = this.#chunks.get(key) ?? createChunkState();
    const value = first?.value ?? reading.value;
    const second = redactChunkEvent(state, { ...reading, value }, first?.text ?? text, first?.marks);
    this.#keep(key, state);
    return { ok: true, text: second?.text ?? first?.text ?? text, masked: (first?.marks.length ?? 0) + (second?.marks.length ?? 0) };
  }

  #keep(key: string, state: ChunkState): void {
    this.#chunks.delete(key);
    if (state.open.length === 0) return;
    this.#chunks.set(key, state);
    for (const oldest of this.#chunks.keys()) {
      if (this.#chunks.size <= MOST_SESSIONS) break;
      this.#chunks.delete(oldest);
    }
  }
}
