import { chmodSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { dirname } from "node:path";
import { EarshotError } from "@earshot/protocol";
import { listen } from "./listen.ts";
import type { Desk } from "./plain-server.ts";

/** A Unix socket's address has room for so many bytes; on some systems a few more. */
const LONGEST_PATH = 103;

/**
 * Listens where only this user's programs can knock: a socket in a folder that nobody else may enter. The folder holds nothing
 * else, so that it can be handed to a container without handing over what is kept. Whoever calls this holds the ledger's lock:
 * a socket that is there already was left by a hub that is no more.
 */
export async function listenOnSocket(desk: Desk, path: string): Promise<Server> {
  if (path.startsWith("\\\\.\\pipe\\")) return listen(desk, { path });
  if (Buffer.byteLength(path) > LONGEST_PATH) throw refused(`${path} is too long for a socket.`);
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const left = lstatSync(path, { throwIfNoEntry: false });
  if (left !== undefined && !left.isSocket()) throw refused(`${path} is there and is no socket.`);
  rmSync(path, { force: true });
  const server = await listen(desk, { path });
  chmodSync(path, 0o600);
  return server;
}

/**
 * Whoever can open the socket could also read the producer's token, which lies in the folder above: so it counts as shown. It
 * opens nothing else. On Windows others may open a pipe: there a token is needed.
 */
export function withCredential(desk: Desk, token: string): Desk {
  const shown = `Bearer ${token}`;
  return {
    ...desk,
    handle: (request, response) => {
      request.headers.authorization ??= shown;
      desk.handle(request, response);
    },
    shortWay: (post) => {
      post.headers.authorization ??= shown;
      return desk.shortWay(post);
    },
  };
}

function refused(message: string): EarshotError {
  return new EarshotError({ code: "PORT_TAKEN", message, hint: "Hooks go by TCP then, and take longer." });
}
