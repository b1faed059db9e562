import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { chmodSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { EarshotError } from "@earshot/protocol/problem";
import { readRegularFile } from "../regular-file.ts";
import { writeFileAtomically } from "../write-file-atomically.ts";

/** An Ed25519 key pair: the hub signs with one half, anyone can verify with the other. */
export interface SealKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export const PRIVATE_KEY_FILE = "seal-key.pem";
export const PUBLIC_KEY_FILE = "seal-key.pub.pem";

/**
 * The key in a folder, created on first use. A lost or replaced key is never recreated silently, because everything signed so far could
 * then not be told from a forgery.
 */
export function openSealKey(folder: string): SealKey {
  const privatePath = join(folder, PRIVATE_KEY_FILE);
  const publicPath = join(folder, PUBLIC_KEY_FILE);
  if (!exists(privatePath)) {
    if (exists(publicPath)) throw broken(privatePath, "is gone, though its public half is there", `move ${publicPath} away as well`);
    const { privateKey } = generateKeyPairSync("ed25519");
    create(privatePath, privateKey.export({ type: "pkcs8", format: "pem" }));
  }
  const privateKey = readKey(privatePath, createPrivateKey);
  if (process.platform !== "win32") chmodSync(privatePath, 0o600);
  const publicKey = createPublicKey(privateKey);
  if (!exists(publicPath)) create(publicPath, publicKey.export({ type: "spki", format: "pem" }));
  if (!publicKey.equals(readPublicSealKey(folder))) throw broken(publicPath, `does not belong to ${privatePath}`, "move both away");
  return { privateKey, publicKey };
}

/** The public key. */
export function readPublicSealKey(folder: string): KeyObject {
  return readKey(join(folder, PUBLIC_KEY_FILE), createPublicKey);
}

function readKey(path: string, read: (pem: string) => KeyObject): KeyObject {
  let key: KeyObject;
  try {
    key = read(readRegularFile(path, { maxBytes: 4096 }));
  } catch (error) {
    throw broken(path, "cannot be read as a key", "move it away", error);
  }
  if (key.asymmetricKeyType !== "ed25519") throw broken(path, "is no Ed25519 key", "move it away");
  return key;
}

/** A link could make the hub trust or overwrite another file. */
function exists(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile()) throw broken(path, "is no regular file", "move it away");
  return stats !== undefined;
}

/** If another process was faster, its key stays. */
function create(path: string, pem: string | Buffer): void {
  try {
    writeFileAtomically(path, pem, { exclusive: true });
  } catch (error) {
    if (!exists(path)) throw error;
  }
}

function broken(path: string, what: string, otherwise: string, cause?: unknown): EarshotError {
  const hint = `Put the right file back from a backup. To go on with a new key, ${otherwise}: what was sealed before then no longer verifies.`;
  return new EarshotError({ code: "LEDGER_BROKEN", message: `${path} ${what}.`, hint }, { cause });
}
