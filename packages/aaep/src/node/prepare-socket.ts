import { chmodSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { userInfo } from "node:os";
import { dirname } from "node:path";
import { EarshotError } from "@earshot/protocol";

/** A Unix socket's address has room for so many bytes; on some systems a few more. */
const LONGEST_PATH = 103;
const KNOCK_MS = 1000;

/**
 * Makes a place for a socket where only this user's programs can knock: a folder that nobody else may enter. The folder may lie
 * where everybody may make one, so it is used only if it is ours. A socket that was left by somebody who is no more is removed,
 * one that is answered is not.
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
