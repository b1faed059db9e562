import { EarshotError } from "@earshot/protocol/problem";
import type { SubscriberChannel } from "./channel-connector.ts";
import { TextQueue } from "./text-queue.ts";

export const SUBPROTOCOL = "aaep.v1";
/** The subscriber ends it. */
export const CLOSED_BY_SUBSCRIBER = 4005;

/** As browsers have it, and Node from version 22 on. */
export async function openWebSocket(url: string, protocols: readonly string[], signal: AbortSignal): Promise<SubscriberChannel> {
  const socket = new WebSocket(url, [SUBPROTOCOL, ...protocols]);
  const texts = new TextQueue();
  socket.addEventListener("message", ({ data }) => {
    if (typeof data === "string") texts.push(data);
  });
  socket.addEventListener("close", ({ code }) => texts.end(endOf(code)));
  const close = () => socket.close(CLOSED_BY_SUBSCRIBER);
  await new Promise<void>((resolve, reject) => {
    const failed = () => reject(unreachable(url));
    socket.addEventListener("open", () => resolve(), { once: true });
    socket.addEventListener("error", failed, { once: true });
    socket.addEventListener("close", failed, { once: true });
    signal.addEventListener("abort", failed, { once: true });
    if (signal.aborted) failed();
  }).catch((error: unknown) => {
    close();
    throw error;
  });
  return { texts, send: (text) => sendOn(socket, text), close };
}

/** What a close code means to whoever reads: an end, or that it makes no sense to come back. */
export function endOf(code: number): EarshotError | undefined {
  if (code !== 4002 && code !== 4003) return undefined;
  const message =
    code === 4002 ? "The producer asks for a credential, or does not know this one." : "The producer does not serve this credential.";
  return new EarshotError({ code: "PRODUCER_REFUSED", message });
}

export function unreachable(where: string): EarshotError {
  return new EarshotError({ code: "PRODUCER_UNREACHABLE", message: `${where} does not answer.` });
}

function sendOn(socket: WebSocket, text: string): void {
  if (socket.readyState !== WebSocket.OPEN) throw unreachable(socket.url);
  socket.send(text);
}
