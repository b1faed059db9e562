import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import type { DeviceKey } from "../access-state.ts";
import { isDeviceKey } from "../access-state.ts";
import { ticketText } from "../device-key.ts";

type Headers = Readonly<Record<string, string>>;

/** What a browser does, without one: holds a key, and signs with it. */
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

  /** A signature for a ticket, and then the ticket as a header. */
  async authorise(url: string, device: string): Promise<Headers> {
    const { challenge } = await ask(url, "/api/ticket");
    const signature = this.sign(ticketText(url, device, String(challenge)));
    const { ticket } = await ask(url, "/api/ticket", { device, challenge, signature });
    return { authorization: `Bearer ${String(ticket)}` };
  }
}

export const TEST_PIN = "a pin for tests";

/** Becomes the first approver of a hub, as the browser opened by the start link does. */
export async function becomeAdmin(url: string, viewer: Headers): Promise<Headers> {
  const { link } = await ask(url, "/api/start-code", {}, viewer);
  const [, code] = String(link).split("#start=");
  const device = new TestDevice();
  const first = await ask(url, "/api/pair/start", { code, key: device.key, name: "a browser", pin: TEST_PIN });
  const { id } = first["device"] as { readonly id: string };
  return device.authorise(url, id);
}

/** Asks with GET, or with POST when there is something to say; throws what went wrong. */
export async function ask(url: string, path: string, body?: object, headers: Headers = {}): Promise<Readonly<Record<string, unknown>>> {
  const post = { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json", ...headers } };
  const response = await fetch(url + path, body === undefined ? { headers } : post);
  const answer = (await response.json()) as Readonly<Record<string, unknown>>;
  if (!response.ok) throw new Error(`${response.status} ${String(answer["code"])}: ${String(answer["message"])}`);
  return answer;
}
