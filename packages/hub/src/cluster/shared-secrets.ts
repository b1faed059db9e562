import { createECDH, createHmac, createPrivateKey } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { EarshotError } from "@earshot/protocol";
import type { HubHome } from "../home.ts";
import { PRIVATE_KEY_FILE } from "../ledger/seal-key.ts";
import { readRegularFile } from "../regular-file.ts";
import { writeFileAtomically } from "../write-file-atomically.ts";

/** DER of an Ed25519 private key in PKCS #8, up to its 32 bytes. */
const PKCS8_ED25519 = Buffer.from("302e020100300506032b657004220420", "hex");

/**
 * Writes the secrets that hubs of one cluster have in common, where the home has none yet: all are derived from one key. A home that
 * has secrets keeps them.
 */
export function deriveSharedSecrets(home: HubHome, keyFile: string): void {
  const key = readClusterKey(keyFile);
  const derive = (purpose: string) => createHmac("sha256", key).update(`earshot ${purpose}`).digest();
  const write = (path: string, create: (secret: Buffer) => string | Buffer) => {
    if (!existsSync(path)) writeFileAtomically(path, create(derive(basename(path))));
  };
  for (const path of [home.requestKey, home.hookKey, home.producerToken, home.viewerToken]) {
    write(path, (secret) => `ear_${secret.toString("base64url")}\n`);
  }
  write(home.manifestKey, (secret) => {
    const ecdh = createECDH("prime256v1");
    ecdh.setPrivateKey(secret);
    const [x, y] = [ecdh.getPublicKey().subarray(1, 33), ecdh.getPublicKey().subarray(33)].map((half) => half.toString("base64url"));
    return `${JSON.stringify({ kty: "EC", crv: "P-256", x, y, d: secret.toString("base64url") })}\n`;
  });
  write(join(home.folder, PRIVATE_KEY_FILE), (seed) => {
    const key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: "der", type: "pkcs8" });
    return key.export({ type: "pkcs8", format: "pem" });
  });
}

function readClusterKey(path: string): string {
  let key: string;
  try {
    key = readRegularFile(path, { maxBytes: 4096, followsLinks: true }).trim();
  } catch (error) {
    throw new EarshotError({ code: "WRONG_USAGE", message: `The key of the cluster cannot be read from ${path}.` }, { cause: error });
  }
  if (key.length >= 32) return key;
  const hint = "Make one with: openssl rand -base64 32";
  throw new EarshotError({ code: "WRONG_USAGE", message: `The key of the cluster in ${path} has fewer than 32 characters.`, hint });
}
