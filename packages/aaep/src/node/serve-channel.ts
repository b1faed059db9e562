import type { JsonObject } from "@earshot/protocol";
import { Connection } from "../producer/connection.ts";
import type { AaepProducer } from "../producer/producer.ts";
import type { Principal } from "../producer/producer-ports.ts";
import { readObjectText } from "../producer/read-message.ts";

/** How long a peer may take to read the last of what was written. */
export const GRACE_MS = 2000;
/** Messages in a row that are not understood. */
export const MAX_NONSENSE = 20;

/** A transport that carries texts both ways. */
export interface TextChannel {
  /** False: no more events until `connection.drained` is called. */
  readonly write: (text: string) => boolean;
  readonly end: (why: "closed" | "rejected" | "nonsense" | "stopping") => void;
  readonly onMessage?: ((message: JsonObject) => void) | undefined;
}

export interface ServedChannel {
  readonly connection: Connection;
  readonly receive: (text: string) => void;
}

/** Serves one peer over a channel: one message or event per text. */
export function serveChannel(producer: AaepProducer, principal: Principal, { write, end, onMessage }: TextChannel): ServedChannel {
  const connection = new Connection(
    producer,
    {
      send: (events) => events.reduce((_hasRoom, { text }) => write(text), true),
      tell: (message) => write(JSON.stringify(message)),
      close: () => end("stopping"),
    },
    { principal, mayBeImplicit: true },
  );
  let nonsense = 0;
  const receive = (text: string): void => {
    const read = readObjectText(text);
    if (read.ok) onMessage?.(read.value);
    const received = read.ok ? connection.receive(read.value) : undefined;
    if (received === undefined || received.kind === "refused") {
      if (++nonsense >= MAX_NONSENSE) end("nonsense");
      return;
    }
    nonsense = 0;
    if (received.kind === "answer") write(JSON.stringify(received.message));
    if (received.isLast === true) end(received.kind === "answer" ? "rejected" : "closed");
  };
  return { connection, receive };
}
