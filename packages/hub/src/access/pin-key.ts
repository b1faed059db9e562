import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, scrypt, sign, verify } from "node:crypto";
import { EarshotError } from "@earshot/protocol/problem";

const COST = 2 ** 15;
const BLOCK_SIZE = 8;
const SEED_BYTES = 32;
const MIN_LENGTH = 6;
const MAX_LENGTH = 128;
/** A PKCS #8 Ed25519 private key without its last 32 bytes, which are the seed. */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

/** How a PIN's key is derived. Neither part is secret. */
export interface PinParameters {
  readonly salt: string;
  readonly cost: number;
}

export interface PinKey {
  readonly publicKey: string;
  sign(text: string): string;
}

/**
 * A PIN is proven, never sent: scrypt turns it into the seed of an Ed25519 key, which signs a challenge of the hub. The hub stores the
 * public key, so its files reveal nothing usable, and a signature for another address is worthless here.
 */
export async function derivePinKey(pin: string, { salt, cost }: PinParameters): Promise<PinKey> {
  // An impostor could request a cheap hash to guess the PIN from the signature.
  if (cost < COST || cost > 16 * COST)
    throw new EarshotError({ code: "CODE_REFUSED", message: "The hub asks for an unsafe proof of the PIN." });
  const options = { N: cost, r: BLOCK_SIZE, p: 1, maxmem: 256 * cost * BLOCK_SIZE };
  const seed = await new Promise<Buffer>((resolve, reject) => {
    scrypt(pin.normalize("NFC"), Buffer.from(salt, "base64url"), SEED_BYTES, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
  return pinKeyOfSeed(seed);
}

export function pinKeyOfSeed(seed: Buffer): PinKey {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: "der", type: "pkcs8" });
  const { x } = createPublicKey(key).export({ format: "jwk" });
  return { publicKey: String(x), sign: (text) => sign(null, Buffer.from(text), key).toString("base64url") };
}

/** The verifier of a new PIN, as a hub stores it. */
export async function createPinVerifier(pin: string): Promise<PinParameters & { readonly key: string }> {
  const parameters = { salt: randomBytes(16).toString("base64url"), cost: COST };
  return { ...parameters, key: (await derivePinKey(checkPinShape(pin), parameters)).publicKey };
}

/** The signed text: hub, purpose and challenge. */
export function pinText(origin: string, purpose: string, challenge: string): string {
  return `earshot pin\n${origin}\n${purpose}\n${challenge}`;
}

export function isSignedByPin(text: string, signature: string, publicKey: string): boolean {
  try {
    const key: KeyObject = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: publicKey }, format: "jwk" });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, "base64url"));
  } catch {
    return false; // not a key, or not a signature
  }
}

/** Any characters, at least six, excluding the most common guesses. */
function checkPinShape(pin: string): string {
  const { length } = [...pin];
  if (length < MIN_LENGTH || length > MAX_LENGTH) {
    throw new EarshotError({ code: "PIN_UNSUITABLE", message: `A PIN has ${MIN_LENGTH} to ${MAX_LENGTH} characters.` });
  }
  if (isObvious(pin)) throw new EarshotError({ code: "PIN_UNSUITABLE", message: "The PIN is too easy to guess." });
  return pin;
}

/** One repeated character, or a sequence. */
function isObvious(pin: string): boolean {
  const points = [...pin].map((character) => character.codePointAt(0) ?? 0);
  const steps = new Set(points.slice(1).map((point, index) => point - (points[index] ?? 0)));
  const [step] = steps;
  return steps.size === 1 && step !== undefined && Math.abs(step) <= 1;
}
