import { createHash, generateKeyPairSync } from "node:crypto";
import { chmodSync } from "node:fs";
import { BOUNDARIES, createManifest, EARSHOT_CONTEXT, EARSHOT_PREFIX, type ProducerOffer } from "@earshot/aaep";
import { DEFAULT_PREFIX, MANIFEST_PATH, SOCKET_FRAMING } from "@earshot/aaep/node";
import { isObject, type JsonObject, type Manifest } from "@earshot/protocol";
import { writePrivately } from "../home.ts";
import { readRegularFile } from "../regular-file.ts";

export interface HubIdentity {
  /** Unique among the hubs of this machine; part of the socket's name. */
  readonly agentId: string;
  readonly version: string;
  /** The hub's external address. */
  readonly url: string;
  /** Undefined if there is none. */
  readonly socket: string | undefined;
  readonly maxSubscriptions: number;
  /** Whether requests can be answered over AAEP. */
  readonly takesReplies: boolean;
}

/** The hub's offer to subscribers. It passes on its agents' languages. */
export function createOffer({ agentId, version, url, takesReplies }: HubIdentity): ProducerOffer {
  return {
    producer: { agent_id: agentId, agent_version: version, agent_name: "Earshot" },
    versions: ["1.0.0"],
    levels: [1, 2, 3],
    boundaries: BOUNDARIES,
    extensions: [EARSHOT_CONTEXT],
    extensionPrefixes: { [EARSHOT_CONTEXT]: EARSHOT_PREFIX },
    takesConfirmations: takesReplies,
    takesClarifications: takesReplies,
    manifestUri: `${url}${MANIFEST_PATH}`,
  };
}

/** The hub's manifest; `key` is the public key of its signature. */
export function createHubManifest({ url, socket, maxSubscriptions }: HubIdentity, offer: ProducerOffer, key: JsonObject): Manifest {
  const local = process.platform === "win32" ? "named-pipe" : "unix-socket";
  return createManifest(offer, {
    transports: ["sse", "websocket", ...(socket === undefined ? [] : [local]), "stdio-jsonrpc"],
    maxSubscriptions,
    prefix: DEFAULT_PREFIX,
    endpoint: `${url}${DEFAULT_PREFIX}`,
    ...(socket === undefined ? {} : { socket: { path: socket, framing: SOCKET_FRAMING } }),
    // Agents of one source may share a session; `producer` identifies the agent of an event.
    multiAgent: "shared-session",
    keys: [key],
  });
}

/** An ES256 key pair. */
export interface ManifestKey {
  readonly kty: "EC";
  readonly crv: "P-256";
  readonly x: string;
  readonly y: string;
  readonly d: string;
}

/** The key that signs the hub's manifest: created once, in a private file. It grants no access. */
export function takeManifestKey(path: string): ManifestKey {
  const known = readKey(path);
  if (known !== undefined) {
    chmodSync(path, 0o600);
    return known;
  }
  const { x, y, d } = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
  if (x === undefined || y === undefined || d === undefined) throw new Error("A key without its numbers.");
  const key: ManifestKey = { kty: "EC", crv: "P-256", x, y, d };
  writePrivately(path, `${JSON.stringify(key)}\n`);
  return key;
}

/** The public key for verifiers. */
export function publicHalf(key: ManifestKey): JsonObject {
  const { kty, crv, x, y } = key;
  return { kty, crv, x, y, kid: keyIdOf(key), alg: "ES256", use: "sig" };
}

/** The RFC 7638 thumbprint: the key's members in order of name. */
export function keyIdOf({ crv, kty, x, y }: ManifestKey): string {
  return createHash("sha256").update(JSON.stringify({ crv, kty, x, y })).digest("base64url");
}

function readKey(path: string): ManifestKey | undefined {
  try {
    const value: unknown = JSON.parse(readRegularFile(path, { maxBytes: 4096 }));
    if (!isObject(value)) return undefined;
    const { kty, crv, x, y, d } = value;
    const isWhole = [x, y, d].every((one) => typeof one === "string" && /^[\w-]{43}$/.test(one));
    return kty === "EC" && crv === "P-256" && isWhole ? { kty, crv, x: String(x), y: String(y), d: String(d) } : undefined;
  } catch {
    return undefined; // not made yet, or not by us
  }
}
