import { BOUNDARIES, createManifest, EARSHOT_CONTEXT, EARSHOT_PREFIX, type Offer } from "@earshot/aaep";
import { DEFAULT_PREFIX, MANIFEST_PATH, SOCKET_FRAMING } from "@earshot/aaep/node";
import type { JsonObject, Manifest } from "@earshot/protocol";

export interface HubIdentity {
  /** Unique among the hubs of this machine; part of the name of the socket. */
  readonly agentId: string;
  readonly version: string;
  /** Where the hub is reached from the outside. */
  readonly url: string;
  /** Undefined where there is none. */
  readonly socket: string | undefined;
  readonly maxSubscriptions: number;
}

/** What the hub can do for subscribers. It passes on the languages of its agents, whatever they are. */
export function createOffer({ agentId, version, url }: HubIdentity): Offer {
  return {
    producer: { agent_id: agentId, agent_version: version, agent_name: "Earshot" },
    versions: ["1.0.0"],
    levels: [1, 2, 3],
    boundaries: BOUNDARIES,
    extensions: [EARSHOT_CONTEXT],
    extensionPrefixes: { [EARSHOT_CONTEXT]: EARSHOT_PREFIX },
    takesConfirmations: true,
    takesClarifications: true,
    manifestUri: `${url}${MANIFEST_PATH}`,
  };
}

/** What the hub says of itself; `key` is the public half of the one that the manifest is signed with. */
export function createHubManifest({ url, socket, maxSubscriptions }: HubIdentity, offer: Offer, key: JsonObject): Manifest {
  const local = process.platform === "win32" ? "named-pipe" : "unix-socket";
  return createManifest(offer, {
    transports: ["sse", "websocket", ...(socket === undefined ? [] : [local]), "stdio-jsonrpc"],
    maxSubscriptions,
    prefix: DEFAULT_PREFIX,
    endpoint: `${url}${DEFAULT_PREFIX}`,
    ...(socket === undefined ? {} : { socket: { path: socket, framing: SOCKET_FRAMING } }),
    // Agents of one source may share a session; whose an event is says its `producer`.
    multiAgent: "shared-session",
    keys: [key],
  });
}
