import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { EarshotError } from "@earshot/protocol/problem";

/** Parses `HOST:PORT`, or a port on localhost. */
export function readListenAddress(given: string, option: string): { readonly host: string; readonly port: number } {
  const [, host = "127.0.0.1", digits = ""] = /^(?:(.+):)?(\d{1,5})$/.exec(given) ?? [];
  const port = Number(digits);
  if (digits === "" || port > 65_535) {
    const hint = option === "--port" ? "Give a port: --port 8095" : `Give ${option} 127.0.0.1:8095, or a port alone.`;
    throw new EarshotError({ code: "WRONG_USAGE", message: `${option} cannot be ${JSON.stringify(given)}.`, hint });
  }
  return { host: host.replace(/^\[|\]$/g, ""), port };
}

/** Starts listening and returns the origin as a URL without a trailing slash. */
export async function listenAt(server: Server, { host, port }: { readonly host: string; readonly port: number }): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => {
      reject(new EarshotError({ code: "PORT_TAKEN", message: `${host}:${port} cannot be listened at.` }, { cause }));
    });
    server.listen(port, host, resolve);
  });
  const { address, port: chosen, family } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${chosen}`;
}

export interface RequestHeadersOnly {
  readonly headers: { readonly origin?: string | undefined; readonly host?: string | undefined };
}

/**
 * Rejects requests from pages of other origins, and requests whose host name only points here (DNS rebinding). `who` names the server in
 * the error.
 */
export function refuseStrangers(
  { headers: { origin, host: called = "" } }: RequestHeadersOnly,
  { host, origins, who }: { readonly host: string; readonly origins: readonly string[]; readonly who: string },
): void {
  if (origin !== undefined && !origins.includes(origin)) {
    throw new EarshotError({ code: "HOST_REFUSED", message: "Pages of this origin are not invited: --allow-origin invites them." });
  }
  if (![host, "localhost", "127.0.0.1", "[::1]"].includes(called.replace(/:\d+$/, ""))) {
    throw new EarshotError({ code: "HOST_REFUSED", message: `${who} does not go by that name.` });
  }
}

const LAST_WORDS_MS = 3000;

/** Closes a server. Open connections have time to receive what was already written, then they are closed. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  await Promise.race([closed, pause(LAST_WORDS_MS, undefined, { ref: false })]);
  server.closeAllConnections();
}
