import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { AaepDesk } from "../aaep/aaep-desk.ts";
import { withoutAddressToken } from "../access/address-token.ts";

export const AAEP_WEBSOCKET_PATH = "/aaep/v1/ws";

export function isAaepUpgrade(request: IncomingMessage): boolean {
  return withoutAddressToken(request).split("?", 1)[0] === AAEP_WEBSOCKET_PATH;
}

/** AAEP's subscribers over WebSocket. Who may come is asked by the binding, which tells it in the protocol's own words. Returns how to stop. */
export function attachAaepWebSocket(server: Server, desk: AaepDesk, onFailure: (error: unknown) => void): () => void {
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (!isAaepUpgrade(request)) return;
    socket.on("error", () => {}); // broken connections are closed, and that is listened to
    desk.open().then(
      ({ webSocket }) => webSocket.upgrade(request, socket, head),
      (error: unknown) => {
        onFailure(error);
        socket.destroy();
      },
    );
  };
  server.on("upgrade", onUpgrade);
  return () => server.off("upgrade", onUpgrade);
}
