import type { Server } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

const LAST_WORDS_MS = 3000;

/** Closes a server; what was written to those who still read it arrives, as long as they read. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  await Promise.race([closed, pause(LAST_WORDS_MS, undefined, { ref: false })]);
  server.closeAllConnections();
}
