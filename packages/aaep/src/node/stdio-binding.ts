import type { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { JsonObject } from "@earshot/protocol";
import type { ReceivedOutcome } from "../producer/connection.ts";
import type { AaepProducer } from "../producer/producer.ts";
import type { Principal } from "../producer/producer-ports.ts";
import { encodeLine, LineParser } from "../wire/framings.ts";
import {
  errorText,
  notificationText,
  RPC_ERRORS,
  RPC_METHODS,
  type RpcId,
  type RpcIncoming,
  readRpc,
  resultText,
} from "../wire/json-rpc.ts";
import { serveChannel, type UnwrappedMessage } from "./serve-channel.ts";

export interface StdioBindingOptions {
  readonly producer: AaepProducer;
  /** The parent process, which could act in this process's name anyway. */
  readonly principal: Principal;
  readonly input: Readable;
  /** Nothing else may be written to it. */
  readonly output: Writable;
  /** The peer has gone. */
  readonly onEnd?: () => void;
}

/** AAEP over the standard streams of a child process: JSON-RPC 2.0, one object per line. Returns the function that stops it. */
export function serveStdio({ producer, principal, input, output, onEnd }: StdioBindingOptions): () => void {
  const lines = new LineParser();
  const decoder = new StringDecoder("utf8");
  let isEnded = false;
  const write = (text: string): boolean => !isEnded && output.writable && output.write(encodeLine(text));
  const { connection, receive } = serveChannel(
    producer,
    { principal },
    {
      write,
      end: () => {}, // the streams belong to the parent process
      frameEvent: ({ text }) => notificationText(RPC_METHODS.event, text),
      frameMessage: (message) => notificationText(methodOf(message), JSON.stringify(message)),
      unwrap: (value) => (value === undefined ? answered(errorText(null, RPC_ERRORS.parse)) : unwrapRpc(readRpc(value))),
    },
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
    for (const text of texts) receive(text);
  };
  const stopWatching = producer.onClose(end);
  input.on("data", onData);
  input.once("end", end);
  input.once("close", end);
  output.on("drain", onDrain);
  output.once("error", end); // a pipe that nobody reads
  return end;
}

const REQUESTS: Readonly<Record<string, readonly string[]>> = {
  [RPC_METHODS.subscribe]: ["subscription.request"],
  [RPC_METHODS.renegotiate]: ["subscription.renegotiate"],
};

const NOTIFICATIONS: Readonly<Record<string, readonly string[]>> = {
  [RPC_METHODS.reply]: ["confirmation.reply", "clarification.reply"],
  [RPC_METHODS.close]: ["subscription.close"],
};

/** A call that does not reach the connection. */
function answered(text: string | undefined): UnwrappedMessage {
  return { answer: () => text };
}

/** A rejection is a result: only invalid calls are errors. */
function unwrapRpc(incoming: RpcIncoming): UnwrappedMessage {
  if (incoming.kind === "response") return answered(undefined);
  if (incoming.kind === "invalid") return answered(errorText(incoming.id, incoming.error));
  const { kind, method, params } = incoming;
  const types = NOTIFICATIONS[method] ?? (kind === "request" ? REQUESTS[method] : undefined);
  const isTaken = method === RPC_METHODS.message || types?.includes(String(params["type"])) === true;
  if (kind === "notification") return isTaken ? { message: params, answer: toNotification } : answered(undefined);
  const { id } = incoming;
  if (isTaken) return { message: params, answer: (received) => toRpc(id, received) };
  if (method === RPC_METHODS.ping) return answered(resultText(id, {}));
  return answered(errorText(id, types === undefined ? RPC_ERRORS.method : RPC_ERRORS.params));
}

function toNotification(received: ReceivedOutcome | undefined): string | undefined {
  return received?.kind === "answer" ? notificationText(methodOf(received.message), JSON.stringify(received.message)) : undefined;
}

function toRpc(id: RpcId, received: ReceivedOutcome | undefined): string {
  if (received === undefined || received.kind === "refused") return errorText(id, RPC_ERRORS.params);
  return resultText(id, received.kind === "answer" ? received.message : {});
}

function methodOf(message: JsonObject): string {
  return message["type"] === "subscription.close" ? RPC_METHODS.close : RPC_METHODS.message;
}
