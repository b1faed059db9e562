import type { JsonObject } from "@earshot/protocol";
import type { Stream } from "./stream.ts";

/** What the transport itself said about a message; undefined where it says nothing, as on a socket. */
export interface Receipt {
  readonly status: number;
  readonly body: string;
}

/** One connection to a producer, as a subscriber has it. */
export interface Connection {
  readonly stream: Stream;
  /** Listens without a handshake. False when the producer does not offer that. */
  listen(): Promise<boolean>;
  /** The handshake: what was answered, or undefined for silence. An acceptance is followed by the events. */
  subscribe(request: JsonObject, waitMs: number): Promise<JsonObject | undefined>;
  /** Asks for other terms: what was answered, or undefined for silence. */
  renegotiate(message: JsonObject, waitMs: number): Promise<JsonObject | undefined>;
  /** A reply, or the end of the subscription. */
  say(message: JsonObject): Promise<Receipt | undefined>;
  /** Anything else: what makes the producer do something. */
  send(message: JsonObject): Promise<Receipt | undefined>;
  /** Breaks off, without a word. */
  cut(): Promise<void>;
}

export interface ConnectOptions {
  /** False leaves out the headers that were given: who calls then is nobody. */
  readonly authenticated?: boolean;
}

/** A producer that can be reached. */
export interface Peer {
  readonly transport: "sse" | "websocket" | "stdio";
  readonly name: string;
  /** Whether two connections reach the same agent: a process of its own for each does not show one to the other. */
  readonly shared: boolean;
  /** Whether there are headers to leave out. */
  readonly authenticates: boolean;
  connect(options?: ConnectOptions): Promise<Connection>;
  /** Continues a subscription after an event; undefined where the transport has no such thing. */
  resume?(subscriptionId: string | undefined, lastEventId: string, stream: Stream): Promise<{ cut(): Promise<void> } | undefined>;
  /** What is published at the well-known address; undefined where there is no such address. */
  readManifest(): Promise<Receipt | undefined>;
  /** Reads something else of the same origin, for probes. */
  get(path: string): Promise<Receipt | undefined>;
  close(): Promise<void>;
}

const ANSWERS: ReadonlySet<unknown> = new Set(["subscription.accepted", "subscription.rejected"]);

export function isAnswer(value: JsonObject): boolean {
  return ANSWERS.has(value["type"]);
}
