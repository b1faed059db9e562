import type { ChallengeView } from "@earshot/hub";
import { scryptAsync } from "@noble/hashes/scrypt.js";
import { requestAsStranger } from "../hub/request-as-device.ts";

/** The DER prefix of an Ed25519 private key in PKCS #8. The last 32 bytes, the seed, follow it. */
const PKCS8_HEAD = Uint8Array.from([48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32]);
const COST = 2 ** 15;

interface PinParameters {
  readonly salt: string;
  readonly cost: number;
}

/** The browser's half of the hub's access/pin-key.ts: the PIN is the seed of a key and is never sent. */
async function derivePinKey(pin: string, { salt, cost }: PinParameters, extractable: boolean): Promise<CryptoKey> {
  if (cost < COST) throw new Error("The hub asks for an unsafe proof of the PIN.");
  const seed = await scryptAsync(pin.normalize("NFC"), fromBase64Url(salt), { N: cost, r: 8, p: 1, dkLen: 32 });
  const bytes = new Uint8Array([...PKCS8_HEAD, ...seed]);
  return crypto.subtle.importKey("pkcs8", bytes, "Ed25519", extractable, ["sign"]);
}

/** Returns the values that the hub stores for a new PIN. */
export async function createPinParameters(pin: string): Promise<PinParameters & { readonly key: string }> {
  checkPinShape(pin);
  const parameters = { salt: toBase64Url(crypto.getRandomValues(new Uint8Array(16))), cost: COST };
  const { x = "" } = await crypto.subtle.exportKey("jwk", await derivePinKey(pin, parameters, true));
  return { ...parameters, key: x };
}

/** `pin` is null until a PIN is set. */
export function readPinChallenge(): Promise<ChallengeView> {
  return requestAsStranger("GET", "/api/ticket");
}

export async function provePinInBrowser(pin: string, purpose: string): Promise<{ readonly challenge: string; readonly signature: string }> {
  const asked = await readPinChallenge();
  if (asked.pin === null) throw new Error("No PIN was set yet.");
  const key = await derivePinKey(pin, asked.pin, false);
  const text = new TextEncoder().encode(`earshot pin\n${location.origin}\n${purpose}\n${asked.challenge}`);
  return { challenge: asked.challenge, signature: toBase64Url(new Uint8Array(await crypto.subtle.sign("Ed25519", key, text))) };
}

/** Requires at least six characters that are neither all equal nor consecutive. */
function checkPinShape(pin: string): void {
  const points = [...pin].map((character) => character.codePointAt(0) ?? 0);
  const steps = new Set(points.slice(1).map((point, index) => point - (points[index] ?? 0)));
  if (points.length < 6 || points.length > 128) throw new Error("A PIN has 6 to 128 characters.");
  if (steps.size === 1 && [...steps].every((step) => Math.abs(step) <= 1)) throw new Error("The PIN is too easy to guess.");
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
}
