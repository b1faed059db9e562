import { EarshotError } from "@earshot/protocol/problem";
import { WebSocket } from "ws";
import type { SubscriberChannel } from "../../subscriber/channel-connector.ts";
import { TextQueue } from "../../subscriber/text-queue.ts";
import { CLOSED_BY_SUBSCRIBER, endOf, SUBPROTOCOL, unreachable } from "../../subscriber/web-socket-channel.ts";

const PING_MS = 30_000;
const LONGEST_BYTES = 4 << 20;

/** A WebSocket of Node's: with headers, and read only as fast as somebody takes what comes. */
export async function openNodeWebSocket(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<SubscriberChannel> {
  const socket = new WebSocket(url, [SUBPROTOCOL], {
    headers,
    followRedirects: false,
    maxPayload: LONGEST_BYTES,
    handshakeTimeout: 15_000,
  });
  const texts = new TextQueue({ close: () => socket.pause(), open: () => socket.resume() });
  socket.on("message", (data: Buffer, isBinary: boolean) => {
    if (!isBinary) texts.push(data.toString("utf8"));
  });
  let failure: Error | undefined;
  socket.on("error", (error: Error) => {
    failure = error;
  });
  let isAlive = true;
  socket.on("pong", () => {
    isAlive = true;
  });
  const pings = setInterval(() => {
    if (socket.readyState !== WebSocket.OPEN || socket.isPaused) return;
    if (!isAlive) socket.terminate(); // half open: nobody is there any more
    isAlive = false;
    socket.ping();
  }, PING_MS);
  socket.on("close", (code: number) => {
    clearInterval(pings);
    texts.end(endOf(code));
  });
  const close = () => socket.close(CLOSED_BY_SUBSCRIBER);
  await new Promise<void>((resolve, reject) => {
    const give = () => {
      socket.terminate();
      reject(unreachable(url));
    };
    socket.once("open", () => {
      signal.removeEventListener("abort", give);
      resolve();
    });
    socket.once("unexpected-response", (_request, { statusCode = 0 }) => reject(refused(url, statusCode)));
    socket.once("close", () => reject(failure === undefined ? unreachable(url) : unanswered(url, failure)));
    signal.addEventListener("abort", give, { once: true });
    if (signal.aborted) give();
  });
  return {
    texts,
    send: (text) => {
      if (socket.readyState !== WebSocket.OPEN) throw unreachable(url);
      socket.send(text);
    },
    close,
  };
}

function refused(url: string, status: number): EarshotError {
  const code = status === 401 || status === 403 ? "PRODUCER_REFUSED" : "PRODUCER_UNREACHABLE";
  return new EarshotError({ code, message: `${url} answered with status ${status} instead of a WebSocket.` });
}

function unanswered(url: string, cause: Error): EarshotError {
  return new EarshotError({ code: "PRODUCER_UNREACHABLE", message: `${url} does not answer: ${cause.message}` }, { cause });
}
