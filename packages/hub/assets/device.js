// @ts-check
/**
 * Who this browser is. Its key is made here and cannot leave: the browser signs with it and gives it to nobody, not even to this
 * script. It stands in IndexedDB, which belongs to this address and port alone; a cookie would be sent to every port.
 */

/** @typedef {{ id: string, key: CryptoKey }} Device */

/** @returns {Promise<{ key: CryptoKey, publicKey: object }>} */
export async function createKey() {
  const { privateKey, publicKey } = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"]);
  const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", publicKey);
  return { key: privateKey, publicKey: { kty, crv, x, y } };
}

/** @returns {Promise<Device | undefined>} */
export function readDevice() {
  return inStore("readonly", (store) => store.get("device"));
}

/** @param {Device} device */
export function saveDevice(device) {
  return inStore("readwrite", (store) => store.put(device, "device"));
}

export function forgetDevice() {
  ticket = undefined;
  return inStore("readwrite", (store) => store.delete("device"));
}

/** @type {{ text: string, until: number } | undefined} */
let ticket;

/**
 * Asks the hub as this device.
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 */
export async function ask(method, path, body) {
  return send(method, path, body, await takeTicket());
}

/**
 * Asks the hub, as nobody in particular without a ticket.
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {string} [bearer]
 */
export async function send(method, path, body, bearer) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (bearer !== undefined) headers["authorization"] = `Bearer ${bearer}`;
  if (body !== undefined) headers["content-type"] = "application/json";
  const response = await fetch(path, {
    method,
    headers,
    credentials: "omit",
    cache: "no-store",
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (response.ok) return answer;
  if (response.status === 401) ticket = undefined;
  throw Object.assign(new Error(answer.message), { code: answer.code });
}

async function takeTicket() {
  if (ticket !== undefined && ticket.until > performance.now()) return ticket.text;
  const device = await readDevice();
  if (device === undefined) throw Object.assign(new Error("This browser is not admitted."), { code: "NOT_AUTHORISED" });
  const { challenge } = await send("GET", "/api/ticket");
  const text = new TextEncoder().encode(`earshot ticket\n${location.origin}\n${device.id}\n${challenge}`);
  const signature = toBase64Url(await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, device.key, text));
  const given = await send("POST", "/api/ticket", { device: device.id, challenge, signature });
  ticket = { text: given.ticket, until: performance.now() + given.expiresInMs - 30_000 };
  return ticket.text;
}

/** @param {ArrayBuffer} bytes */
function toBase64Url(bytes) {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<T>} use
 * @returns {Promise<T>}
 */
async function inStore(mode, use) {
  const database = await new Promise((resolve, reject) => {
    const opening = indexedDB.open("earshot", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("own");
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction("own", mode);
      const request = use(transaction.objectStore("own"));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}
