import type { JsonObject } from "@earshot/protocol";
import { PeerConnection, type PeerConnectionOptions, type ReceivedOutcome } from "../producer/connection.ts";
import type { AaepProducer } from "../producer/producer.ts";
import { readObjectText } from "../producer/read-message.ts";
import type { OutgoingEvent } from "../shape/outgoing.ts";

/** How long a peer may take to read the last data. */
export const LAST_DATA_GRACE_MS = 2000;
/** Consecutive unintelligible messages before the channel is closed. */
export const MAX_UNINTELLIGIBLE_MESSAGES = 20;

/** A binding's transport: how texts are framed and written. */
export interface TextChannel {
  /** False: no more events until `connection.drained` is called. */
  readonly write: (text: string) => boolean;
  readonly end: (why: "closed" | "rejected" | "nonsense" | "stopping") => void;
  /** Frames an event; default: its text. */
  readonly frameEvent?: (event: OutgoingEvent) => string;
  /** Frames an unsolicited message; default: its JSON. */
  readonly frameMessage?: (message: JsonObject) => string;
  /** For a transport that resumes by event id. */
  readonly mark?: (id: string) => void;
  /** Unwraps a message and wraps its answer; undefined for a text that is not an object. */
  readonly unwrap?: (value: JsonObject | undefined) => UnwrappedMessage;
  readonly onMessage?: ((message: JsonObject) => void) | undefined;
}

export interface UnwrappedMessage {
  /** The message for the connection, if any. */
  readonly message?: JsonObject | undefined;
  /** The answer to write, if any. */
  readonly answer: (received: ReceivedOutcome | undefined) => string | undefined;
}

export interface ServedChannel {
  readonly connection: PeerConnection;
  readonly receive: (text: string) => void;
  readonly sendMessage: (message: JsonObject) => void;
}

/** Serves one peer over a channel: events and messages out, one message per text in. */
export function serveChannel(
  producer: AaepProducer,
  { principal, after }: Pick<PeerConnectionOptions, "principal" | "after">,
  channel: TextChannel,
): ServedChannel {
  const { write, end, mark, frameEvent = ({ text }) => text, frameMessage = JSON.stringify, onMessage } = channel;
  const tell = (message: JsonObject): void => void write(frameMessage(message));
  const unwrap = channel.unwrap ?? ((message: JsonObject | undefined) => ({ message, answer: bareAnswer }));
  const connection = new PeerConnection(
    producer,
    {
      send: (events) => events.reduce((_hasRoom, event) => write(frameEvent(event)), true),
      sendMessage: tell,
      ...(mark === undefined ? {} : { mark }),
      close: () => end("stopping"),
    },
    { principal, mayBeImplicit: true, after },
  );
  let nonsense = 0;
  const receive = (text: string): void => {
    const read = readObjectText(text);
    const { message, answer } = unwrap(read.ok ? read.value : undefined);
    if (message !== undefined) onMessage?.(message);
    const received = message === undefined ? undefined : connection.receive(message);
    const written = answer(received);
    if (written !== undefined) write(written);
    if (received === undefined || received.kind === "refused") {
      if (++nonsense >= MAX_UNINTELLIGIBLE_MESSAGES) end("nonsense");
      return;
    }
    nonsense = 0;
    if (received.isLast === true) end(received.kind === "answer" ? "rejected" : "closed");
  };
  return { connection, receive, sendMessage: tell };
}

function bareAnswer(received: ReceivedOutcome | undefined): string | undefined {
  return received?.kind === "answer" ? JSON.stringify(received.message) : undefined;
}
