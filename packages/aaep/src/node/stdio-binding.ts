import type { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { JsonObject } from "@earshot/protocol";
import { Connection, type Received } from "../producer/connection.ts";
import type { AaepProducer } from "../producer/producer.ts";
import type { Principal } from "../producer/producer-ports.ts";
import { readObjectText } from "../producer/read-message.ts";
import { encodeLine, LineParser } from "../wire/framings.ts";
import { errorText, METHODS, notificationText, RPC_ERRORS, type RpcId, type RpcIncoming, readRpc, resultText } from "../wire/json-rpc.ts";

export interface StdioBindingOptions {
  readonly producer: AaepProducer;
  /** Whoever started this process: it could do anything in its name anyway. */
  readonly principal: Principal;
  readonly input: Readable;
  /** Nothing else may be written to it. */
  readonly output: Writable;
  /** The other side has gone. */
  readonly onEnd?: () => void;
}

/** AAEP over the standard streams of a child process: JSON-RPC 2.0, one object per line. Returns how to stop. */
export function serveStdio({ producer, principal, input, output, onEnd }: StdioBindingOptions): () => void {
  const lines = new LineParser();
  const decoder = new StringDecoder("utf8");
  let isEnded = false;
  const write = (text: string): boolean => !isEnded && output.writable && output.write(encodeLine(text));
  const connection = new Connection(
    producer,
    {
      send: (events) => {
        let room = true;
        for (const { text } of events) room = write(notificationText(METHODS.event, text));
        return room;
      },
      tell: (message) => write(notificationText(methodOf(message), JSON.stringify(message))),
      close: () => {},
    },
    { principal, mayBeImplicit: true },
  );
  const onDrain = () => connection.drained();
  const end = (): void => {
    if (isEnded) return;
    isEnded = true;
    connection.closed();
    input.off("data", onData);
    output.off("drain", onDrain);
    stopWatching();
    onEnd?.();
  };
  const onData = (bytes: Buffer | string): void => {
    let texts: readonly string[];
    try {
      texts = lines.read(typeof bytes === "string" ? bytes : decoder.write(bytes));
    } catch {
      write(errorText(null, RPC_ERRORS.parse));
      end(); // a line without end: what follows it cannot be told from it
      return;
    }
    for (const text of texts) {
      const read = readObjectText(text);
      const answer = read.ok ? hear(connection, readRpc(read.value)) : errorText(null, RPC_ERRORS.parse);
      if (answer !== undefined) write(answer);
    }
  };
  const stopWatching = producer.onClose(end);
  input.on("data", onData);
  input.once("end", end);
  input.once("close", end);
  output.on("drain", onDrain);
  output.once("error", end); // a pipe that nobody reads
  return end;
}

/** What to answer, if anything. A rejection is a result: only calls that make no sense are errors. */
function hear(connection: Connection, incoming: RpcIncoming): string | undefined {
  switch (incoming.kind) {
    case "invalid":
      return errorText(incoming.id, incoming.error);
    case "response":
      return undefined;
    case "notification":
      return answerNotification(connection, incoming.method, incoming.params);
    case "request":
      return answerRequest(connection, incoming);
  }
}

const REQUESTS: Readonly<Record<string, readonly string[]>> = {
  [METHODS.subscribe]: ["subscription.request"],
  [METHODS.renegotiate]: ["subscription.renegotiate"],
};

const NOTIFICATIONS: Readonly<Record<string, readonly string[]>> = {
  [METHODS.reply]: ["confirmation.reply", "clarification.reply"],
  [METHODS.close]: ["subscription.close"],
};

function answerRequest(connection: Connection, { id, method, params }: { id: RpcId; method: string; params: JsonObject }): string {
  if (method === METHODS.ping) return resultText(id, {});
  if (method === METHODS.message) return toRpc(id, connection.receive(params));
  const types = REQUESTS[method] ?? NOTIFICATIONS[method];
  if (types === undefined) return errorText(id, RPC_ERRORS.method);
  if (!types.includes(String(params["type"]))) return errorText(id, RPC_ERRORS.params);
  return toRpc(id, connection.receive(params));
}

function answerNotification(connection: Connection, method: string, params: JsonObject): string | undefined {
  if (method !== METHODS.message && NOTIFICATIONS[method]?.includes(String(params["type"])) !== true) return undefined;
  const received = connection.receive(params);
  return received.kind === "answer" ? notificationText(methodOf(received.message), JSON.stringify(received.message)) : undefined;
}

function toRpc(id: RpcId, received: Received): string {
  if (received.kind === "refused") return errorText(id, RPC_ERRORS.params);
  return resultText(id, received.kind === "answer" ? received.message : {});
}

function methodOf(message: JsonObject): string {
  return message["type"] === "subscription.close" ? METHODS.close : METHODS.message;
}
