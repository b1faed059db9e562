import { chmodSync } from "node:fs";
import { createServer } from "node:net";
import { prepareSocket } from "@earshot/aaep/local-socket";
import type { AaepDesk } from "../aaep/aaep-desk.ts";

const MOST_CONNECTIONS = 256;

/**
 * Listens where AAEP's subscribers of this machine look for producers. What serves them is loaded when the first one comes.
 * Throws a problem when the place cannot be had. Returns how to stop.
 */
export async function listenForAaep(path: string, desk: AaepDesk, onFailure: (error: unknown) => void): Promise<() => Promise<void>> {
  const isPipe = path.startsWith("\\\\.\\pipe\\");
  if (!isPipe) await prepareSocket(path);
  const server = createServer((peer) => {
    peer.on("error", () => {}); // broken connections are closed, and that is listened to
    desk.open().then(
      ({ socket }) => socket.serve(peer),
      (error: unknown) => {
        onFailure(error);
        peer.destroy();
      },
    );
  });
  server.maxConnections = MOST_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => {
      server.off("error", reject);
      resolve();
    });
  });
  server.on("error", onFailure);
  if (!isPipe) chmodSync(path, 0o600);
  return () => new Promise((resolve) => server.close(() => resolve()));
}
