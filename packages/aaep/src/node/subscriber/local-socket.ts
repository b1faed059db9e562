import { connect } from "node:net";
import { EarshotError } from "@earshot/protocol/problem";
import type { SubscriberChannel } from "../../subscriber/channel-connector.ts";
import { TextQueue } from "../../subscriber/text-queue.ts";
import { unreachable } from "../../subscriber/web-socket-channel.ts";
import { encodeLengthPrefixed, LengthPrefixedParser } from "../../wire/length-prefixed.ts";

/** A Unix socket, or a named pipe of Windows: messages with their length before them. */
export async function openLocalSocket(path: string, signal: AbortSignal): Promise<SubscriberChannel> {
  const socket = connect(path);
  const texts = new TextQueue({ close: () => socket.pause(), open: () => socket.resume() });
  const parser = new LengthPrefixedParser();
  socket.on("data", (piece: Buffer) => {
    try {
      for (const text of parser.read(piece)) texts.push(text);
    } catch (error) {
      texts.end(error);
      socket.destroy();
    }
  });
  let failure: Error | undefined;
  socket.on("error", (error) => {
    failure = error;
  });
  socket.on("close", () => texts.end());
  await new Promise<void>((resolve, reject) => {
    const give = () => {
      socket.destroy();
      reject(unreachable(path));
    };
    socket.once("connect", () => {
      signal.removeEventListener("abort", give);
      resolve();
    });
    socket.once("close", () => {
      const message = `${path} does not answer: ${failure?.message ?? "it was closed"}`;
      reject(new EarshotError({ code: "PRODUCER_UNREACHABLE", message }));
    });
    signal.addEventListener("abort", give, { once: true });
    if (signal.aborted) give();
  });
  return {
    texts,
    send: (text) => {
      if (!socket.writable) throw unreachable(path);
      socket.write(encodeLengthPrefixed(text));
    },
    close: () => {
      socket.end();
      socket.destroySoon();
    },
  };
}
