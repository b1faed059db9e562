/**
 * This browser's identity. Its key is generated here and is not extractable: the browser signs with it and exposes it to no script,
 * including this one. It is stored in IndexedDB, which is bound to this address and port; a cookie would be sent to every port.
 */
export interface Device {
  readonly id: string;
  readonly key: CryptoKey;
}

export async function createKey(): Promise<{ readonly key: CryptoKey; readonly publicKey: JsonWebKey }> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"]);
  const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", publicKey);
  return { key: privateKey, publicKey: { kty, crv, x, y } as JsonWebKey };
}

export function readDevice(): Promise<Device | undefined> {
  return inStore("readonly", (store) => store.get("device") as IDBRequest<Device | undefined>);
}

export async function saveDevice(device: Device): Promise<void> {
  await inStore("readwrite", (store) => store.put(device, "device"));
}

async function inStore<Result>(mode: IDBTransactionMode, use: (store: IDBObjectStore) => IDBRequest<Result>): Promise<Result> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open("earshot", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("own");
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error ?? new Error("The browser's store cannot be opened."));
  });
  try {
    return await new Promise<Result>((resolve, reject) => {
      const transaction = database.transaction("own", mode);
      const request = use(transaction.objectStore("own"));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error ?? new Error("The browser's store cannot be used."));
    });
  } finally {
    database.close();
  }
}
