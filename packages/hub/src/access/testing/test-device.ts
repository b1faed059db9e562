import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { mkdirSync } from "node:fs";
import type { HubHome } from "../../home.ts";
import { takeSecret } from "../../home.ts";
import { ticketText } from "../device-key.ts";
import { derivePinKey, pinKeyOfSeed, pinText } from "../pin-key.ts";
import { createTokenSecret, hashSecret } from "../secrets.ts";
import { AccessStore, type DeviceKey, isDeviceKey, type PinRecord } from "../store.ts";

type Headers = Readonly<Record<string, string>>;

/** Stands in for a browser: holds a key and signs with it. */
export class TestDevice {
  readonly key: DeviceKey;
  readonly #private: KeyObject;

  constructor() {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { kty, crv, x, y } = publicKey.export({ format: "jwk" });
    const key = { kty, crv, x, y };
    if (!isDeviceKey(key)) throw new Error("Not the key that was asked for.");
    this.key = key;
    this.#private = privateKey;
  }

  sign(text: string): string {
    return sign("sha256", Buffer.from(text), { key: this.#private, dsaEncoding: "ieee-p1363" }).toString("base64url");
  }

  /** Signs for a ticket and returns it as a header. */
  async authorise(url: string, device: string): Promise<Headers> {
    const { challenge } = await callJson(url, "/api/ticket");
    const signature = this.sign(ticketText(url, device, String(challenge)));
    const { ticket } = await callJson(url, "/api/ticket", { device, challenge, signature });
    return { authorization: `Bearer ${String(ticket)}` };
  }
}

export const TEST_PIN = "a pin for tests";
const TEST_SALT = Buffer.alloc(16, 7).toString("base64url");
/** The scrypt result for TEST_PIN and TEST_SALT; computing it would cost each test 100 ms of CPU time. */
export const TEST_KEY = pinKeyOfSeed(Buffer.from("c8e98decf971136dbccf3b0e8efe7f06d2715230e1516bad2b4bd3b570fe1712", "hex"));
export const TEST_PIN_RECORD: PinRecord = { salt: TEST_SALT, cost: 2 ** 15, key: TEST_KEY.publicKey };

/** Writes the access file of a hub that has not started yet: an admin with a token, and TEST_PIN. */
export async function prepareAdmin(home: HubHome, name = "a browser"): Promise<Headers> {
  const token = createTokenSecret();
  const createdAt = new Date(0).toISOString();
  mkdirSync(home.folder, { recursive: true, mode: 0o700 });
  const store = new AccessStore({ path: home.access, sealPath: home.accessSeal, sealKey: takeSecret(home.hookKey) });
  store.update({
    tokens: [{ id: "admin", name, role: "admin", owner: "tests", hash: hashSecret(token), createdAt }],
    pin: TEST_PIN_RECORD,
  });
  return { authorization: `Bearer ${token}` };
}

/** The proof that a client sends instead of the PIN. `origin`: the hub's address as the client sees it. */
export async function provePinInTest(url: string, pin = TEST_PIN, purpose = "unlock", origin = new URL(url).origin): Promise<object> {
  const asked = await callJson(url, "/api/ticket");
  const parameters = asked["pin"] as { readonly salt: string; readonly cost: number };
  const key = pin === TEST_PIN && parameters.salt === TEST_SALT ? TEST_KEY : await derivePinKey(pin, parameters);
  const challenge = String(asked["challenge"]);
  return { challenge, signature: key.sign(pinText(origin, purpose, challenge)) };
}

/** A ticket for the PIN, as a header. */
export async function unlockWithPin(url: string, viewer: Headers, pin = TEST_PIN): Promise<Headers> {
  const { ticket } = await callJson(url, "/api/unlock", await provePinInTest(url, pin), viewer);
  return { authorization: `Bearer ${String(ticket)}` };
}

/** Becomes the first approver of a hub, like the browser opened by the start link. */
export async function becomeAdmin(url: string, viewer: Headers): Promise<Headers> {
  const { link } = await callJson(url, "/api/start-code", {}, viewer);
  const [, code] = String(link).split("#start=");
  const device = new TestDevice();
  const first = await callJson(url, "/api/pair/start", { code, key: device.key, name: "a browser", pin: TEST_PIN_RECORD });
  const { id } = first["device"] as { readonly id: string };
  return device.authorise(url, id);
}

/** Sends GET, or POST with a body; throws the problem of an error. */
export async function callJson(
  url: string,
  path: string,
  body?: object,
  headers: Headers = {},
): Promise<Readonly<Record<string, unknown>>> {
  const post = { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json", ...headers } };
  const response = await fetch(url + path, body === undefined ? { headers } : post);
  const answer = (await response.json()) as Readonly<Record<string, unknown>>;
  if (!response.ok) throw new Error(`${response.status} ${String(answer["code"])}: ${String(answer["message"])}`);
  return answer;
}
