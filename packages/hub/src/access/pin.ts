import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { EarshotError } from "@earshot/protocol";
import type { PinRecord } from "./access-state.ts";

const COST = 2 ** 15;
const BLOCK = 8;
const HASH_BYTES = 32;
const SHORTEST = 6;
const LONGEST = 128;

/** A PIN is typed by a person who may not see it: whatever the keyboard gives, at least six characters, not the first ones tried. */
export function checkPinShape(pin: unknown): asserts pin is string {
  const length = typeof pin === "string" ? [...pin].length : 0;
  if (typeof pin !== "string" || length < SHORTEST || length > LONGEST) {
    throw new EarshotError({ code: "PIN_UNSUITABLE", message: `A PIN has ${SHORTEST} to ${LONGEST} characters.` });
  }
  if (isObvious(pin)) throw new EarshotError({ code: "PIN_UNSUITABLE", message: "That PIN is among the first that anybody would try." });
}

export async function hashPin(pin: string, cost = COST): Promise<PinRecord> {
  const salt = randomBytes(16);
  return { salt: salt.toString("base64url"), hash: (await derive(pin, salt, cost)).toString("base64url"), cost };
}

export async function isPin(pin: string, { salt, hash, cost }: PinRecord): Promise<boolean> {
  const expected = Buffer.from(hash, "base64url");
  const given = await derive(pin, Buffer.from(salt, "base64url"), cost);
  return expected.length === given.length && timingSafeEqual(given, expected);
}

/** The same character over and over, or each the next one. */
function isObvious(pin: string): boolean {
  const points = [...pin].map((character) => character.codePointAt(0) ?? 0);
  const steps = new Set(points.slice(1).map((point, index) => point - (points[index] ?? 0)));
  const [step] = steps;
  return steps.size === 1 && step !== undefined && Math.abs(step) <= 1;
}

function derive(pin: string, salt: Buffer, cost: number): Promise<Buffer> {
  const options = { N: cost, r: BLOCK, p: 1, maxmem: 256 * cost * BLOCK };
  return new Promise((resolve, reject) => {
    scrypt(pin.normalize("NFC"), salt, HASH_BYTES, options, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}
