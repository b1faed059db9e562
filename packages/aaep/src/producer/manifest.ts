import { CORE_CONTEXT, type JsonObject, type Manifest } from "@earshot/protocol";
import { EARSHOT_CONTEXT, EARSHOT_PREFIX } from "../extension.ts";
import type { Offer } from "./producer-ports.ts";

export interface ManifestFacts {
  /** As they are known: `sse`, `websocket`, `unix-socket`, `named-pipe`, `stdio-jsonrpc`. */
  readonly transports: readonly string[];
  /** Patterns of the types that are sent. */
  readonly eventTypes?: readonly string[];
  readonly maxSubscriptions: number;
  readonly contact?: string;
  /** The path that everything but the manifest lies under. */
  readonly prefix?: string;
  /** The same with the origin before it. */
  readonly endpoint?: string;
  readonly socket?: { readonly path: string; readonly framing: string };
  /** Several agents in one session, told apart by `producer`; or a session for each, linked by an extension. */
  readonly multiAgent: "shared-session" | "linked-sessions";
  /** All states that are told, when there are others than those of the protocol. */
  readonly states?: readonly string[];
  /** Public halves, for whoever verifies a signature and has decided to trust them. */
  readonly keys?: readonly JsonObject[];
}

/**
 * What a producer says of itself. AAEP asks for the prefix, the framing, custom states and the multi-agent pattern to be stated
 * and names no members for them: they stand under our own prefix.
 */
export function createManifest(offer: Offer, facts: ManifestFacts): Manifest {
  const { agent_id: id, agent_version: version, agent_name: name } = offer.producer;
  return {
    "@context": [CORE_CONTEXT, EARSHOT_CONTEXT],
    type: "aaep:producer.manifest",
    agent_id: id,
    ...(version === undefined ? {} : { agent_version: version }),
    ...(name === undefined ? {} : { agent_name: name }),
    aaep_versions_supported: [...offer.versions],
    conformance_levels_supported: [...offer.levels],
    transports_supported: [...facts.transports],
    ...(offer.languages === undefined ? {} : { languages_supported: [...offer.languages] }),
    event_types_emitted: [...(facts.eventTypes ?? ["aaep:agent.*"])],
    extensions_supported: [...offer.extensions],
    default_verbosity: "normal",
    max_concurrent_subscriptions: facts.maxSubscriptions,
    ...(facts.contact === undefined ? {} : { contact: facts.contact }),
    extensions: {
      [EARSHOT_PREFIX]: {
        ...(facts.prefix === undefined ? {} : { prefix: facts.prefix }),
        ...(facts.endpoint === undefined ? {} : { endpoint: facts.endpoint }),
        ...(facts.socket === undefined ? {} : { socket: facts.socket }),
        multi_agent_pattern: facts.multiAgent,
        ...(facts.states === undefined ? {} : { states: facts.states }),
        ...(facts.keys === undefined ? {} : { keys: facts.keys }),
      },
    },
  };
}
