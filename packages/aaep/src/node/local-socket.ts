import { chmodSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { homedir, platform, tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { EarshotError } from "@earshot/protocol/problem";

interface Place {
  readonly platform: NodeJS.Platform;
  readonly runtimeDir: string | undefined;
  readonly home: string;
  readonly temp: string;
  /** -1 if there is none. */
  readonly uid: number;
}

/** The local address of a producer, for both sides (B.3, B.4). */
export function localSocketPath(producerId: string, place: Place = here()): string {
  const name = nameOf(producerId);
  if (place.platform === "win32") return `\\\\.\\pipe\\aaep\\${name}`;
  if (place.platform === "darwin") return join(place.home, "Library", "Application Support", "AAEP", `${name}.sock`);
  if (place.runtimeDir !== undefined && place.runtimeDir !== "") return join(place.runtimeDir, "aaep", `${name}.sock`);
  return join(place.temp, `aaep-${place.uid}`, `${name}.sock`);
}

/** A file name for any id. */
function nameOf(producerId: string): string {
  const name = producerId.replace(/[^A-Za-z0-9._-]/g, "_").slice(0, 64);
  return /^\.*$/.test(name) ? "producer" : name;
}

function here(): Place {
  return {
    platform: platform(),
    runtimeDir: process.env["XDG_RUNTIME_DIR"],
    home: homedir(),
    temp: tmpdir(),
    uid: userInfo().uid,
  };
}

/** The maximum length of a Unix socket's address in bytes; some systems allow slightly more. */
const LONGEST_PATH = 103;
const KNOCK_MS = 1000;

/**
 * Prepares a socket path that only this user's programs can reach, in a private folder. Since the parent may be world-writable, the
 * folder is used only if this user owns it. An abandoned socket is removed, a live one is not.
 */
export async function prepareSocket(path: string): Promise<void> {
  if (Buffer.byteLength(path) > LONGEST_PATH) throw refused(`${path} is too long for a socket.`);
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stat = lstatSync(folder);
  const { uid } = userInfo();
  if (!stat.isDirectory() || (uid >= 0 && stat.uid !== uid)) throw refused(`${folder} belongs to somebody else.`);
  chmodSync(folder, 0o700);
  const left = lstatSync(path, { throwIfNoEntry: false });
  if (left === undefined) return;
  if (!left.isSocket()) throw refused(`${path} is there and is no socket.`);
  if (await isAnswered(path)) throw refused(`Another producer listens at ${path}.`);
  rmSync(path, { force: true });
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const settle = (answered: boolean) => {
      socket.destroy();
      resolve(answered);
    };
    socket.setTimeout(KNOCK_MS, () => settle(true));
    socket.on("connect", () => settle(true));
    socket.on("error", () => settle(false));
  });
}

function refused(message: string): EarshotError {
  return new EarshotError({ code: "PORT_TAKEN", message, hint: "Choose another path, or stop what listens there." });
}
