import type { EntryFilter, LedgerEntry } from "../ledger/ledger.ts";
import { matchesFilter } from "../ledger/stored-rows.ts";

/** An entry as JSON text for listeners, written once for all of them. */
export class LiveFrame {
  readonly entry: LedgerEntry;
  #json: string | undefined;

  constructor(entry: LedgerEntry) {
    this.entry = entry;
  }

  get json(): string {
    this.#json ??= toLiveJson(this.entry);
    return this.#json;
  }
}

/** Encodes frames for one transport. */
export interface Encoding {
  /** Encodings with the same name write the same bytes. */
  readonly name: string;
  encode(frames: readonly LiveFrame[]): Buffer;
  /** The first frame: the listener's start and the newest position. Entries in between are history. */
  hello(position: number, head: number): Buffer;
  /**
   * The listener's position, including filtered entries: sent after the requested history, and when there was nothing else to send for a
   * while.
   */
  heartbeat(position: number): Buffer;
  /** The last frame. */
  farewell(farewell: LiveFarewell): Buffer;
}

export interface LiveFarewell {
  /** `stuck`: nothing was accepted for too long. `crowded`: slow listeners together held too much. `stopping`: the hub ends. */
  readonly why: "stuck" | "crowded" | "stopping";
  /** The listener has everything up to here and resumes after it. */
  readonly resumeAfter: number;
}

/** The event is copied unparsed, so that listeners get what was stored. */
export function toLiveJson(entry: LedgerEntry): string {
  const { position, receivedAt, protocol, source, verified, session, kind, type, agent, sequence, flags, redactions } = entry;
  return (
    `{"position":${position},"receivedAt":"${new Date(receivedAt).toISOString()}","protocol":"${protocol}",` +
    `"source":${JSON.stringify(source)},"verified":${verified},"session":${JSON.stringify(session)},"kind":"${kind}",` +
    `"type":${JSON.stringify(type)},"agent":${JSON.stringify(agent)}` +
    (sequence === null ? "" : `,"sequence":${sequence}`) +
    (flags.length === 0 ? "" : `,"flags":${JSON.stringify(flags)}`) +
    (redactions.length === 0 ? "" : `,"redactions":${JSON.stringify(redactions)}`) +
    `,"event":${removeLineBreaks(entry.text)}}`
  );
}

/**
 * JSON without line breaks. They only occur between tokens, so a space is equivalent; a text without them cannot end an SSE field or an
 * NDJSON line early and begin a forged one.
 */
export function removeLineBreaks(text: string): string {
  return text.includes("\n") || text.includes("\r") ? text.replaceAll(/[\r\n]/g, " ") : text;
}

/** `data` must be one line. Without a name, `onmessage` receives the event. */
export function liveSseFrame(position: number, data: string, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}id: ${position}\ndata: ${data}\n\n`;
}

/** By the standard, an id without data sets the resume point and is not shown to the page. */
export function ssePosition(position: number, comment: string): Buffer {
  return Buffer.from(`: ${comment}\nid: ${position}\n\n`);
}

/** A listener's filter: that of the ledger, and the kind of entry. */
export interface LiveFilter extends EntryFilter {
  readonly kind?: LedgerEntry["kind"];
}

/** A filter prepared for many entries. Equal filters have equal keys, so their listeners share encoded frames. */
export interface ReadyFilter {
  readonly key: string;
  matches(entry: LedgerEntry): boolean;
  /** The part that the ledger applies while reading; `matches` decides in the end. */
  readonly inLedger: EntryFilter;
}

export function readyFilter({ kind, ...inLedger }: LiveFilter): ReadyFilter {
  const { session, agent, protocol, type } = inLedger;
  const inOrder = (list: readonly string[] | undefined) => (list === undefined ? undefined : [...new Set(list)].sort());
  return {
    key: JSON.stringify([session, agent, inOrder(protocol), inOrder(type), kind]),
    matches: (entry) => (kind === undefined || entry.kind === kind) && matchesFilter(entry, inLedger),
    inLedger,
  };
}
