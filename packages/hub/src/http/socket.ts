import { chmodSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { dirname } from "node:path";
import { EarshotError } from "@earshot/protocol";
import { listenHttp, type RequestHandler } from "./listen.ts";

/** The maximum length of a Unix socket's address in bytes; some systems allow slightly more. */
const LONGEST_PATH = 103;

/**
 * Listens on a socket in a private folder that contains nothing else, so that it can be mounted into a container. The caller holds the
 * ledger's lock, so an existing socket was left by a dead hub.
 */
export async function listenOnSocket(handle: RequestHandler, path: string, { isShared = false } = {}): Promise<Server> {
  if (path.startsWith("\\\\.\\pipe\\")) return listenHttp(handle, { path });
  if (Buffer.byteLength(path) > LONGEST_PATH) throw refused(`${path} is too long for a socket.`);
  const folder = dirname(path);
  if (!isShared) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
  }
  const left = lstatSync(path, { throwIfNoEntry: false });
  if (left !== undefined && !left.isSocket()) throw refused(`${path} is there and is no socket.`);
  rmSync(path, { force: true });
  const server = await listenHttp(handle, { path });
  chmodSync(path, isShared ? 0o660 : 0o600);
  return server;
}

const LOOK_EVERY_MS = 500;

export interface SocketWatch {
  readonly path: string;
  /** Listens there anew. */
  readonly listen: () => Promise<Server>;
  /** Called after that, and when it fails. */
  readonly onReplaced: (server: Server | undefined) => void;
}

/**
 * Any program of this account can replace the socket with its own, which hooks would then ask. Detects that and listens again. Returns
 * the function that stops watching.
 */
export function watchSocket(first: Server, { path, listen: listenAgain, onReplaced }: SocketWatch): () => void {
  let server = first;
  let own = identify(path);
  let isLost = false;
  let isBusy = false;
  let isStopped = false;
  const look = async () => {
    if (isBusy || (!isLost && (!server.listening || identify(path) === own))) return;
    isBusy = true;
    isLost = true;
    server.close(); // this removes what is there under its name
    try {
      server = await listenAgain();
      own = identify(path);
      isLost = false;
      if (isStopped) server.close();
      else onReplaced(server);
    } catch {
      onReplaced(undefined); // tried again at the next look
    } finally {
      isBusy = false;
    }
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS).unref();
  return () => {
    isStopped = true;
    clearInterval(timer);
  };
}

/** Inode numbers are reused at once, change times are not. */
function identify(path: string): string {
  try {
    const { dev, ino, ctimeNs } = lstatSync(path, { bigint: true });
    return `${dev} ${ino} ${ctimeNs}`;
  } catch {
    return "gone"; // removed, or its folder is no folder anymore
  }
}

/**
 * Anyone who can open the socket could also read the producer token in the folder above, so it counts as shown. It grants nothing else.
 * On Windows others may open a pipe, and a hub under its own account is shared: there the token is required.
 */
export function withCredential(handle: RequestHandler, token: string): RequestHandler {
  const shown = `Bearer ${token}`;
  return (request, response) => {
    request.headers.authorization ??= shown;
    handle(request, response);
  };
}

function refused(message: string): EarshotError {
  return new EarshotError({ code: "PORT_TAKEN", message, hint: "Hooks go by TCP then, and take longer." });
}
