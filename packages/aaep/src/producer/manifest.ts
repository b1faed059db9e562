import { CORE_CONTEXT, type JsonObject, type Manifest } from "@earshot/protocol";
import { EARSHOT_CONTEXT, EARSHOT_PREFIX } from "../extension.ts";
import type { ProducerOffer } from "./producer-ports.ts";

export interface ManifestFacts {
  /** Transport names: `sse`, `websocket`, `unix-socket`, `named-pipe`, `stdio-jsonrpc`. */
  readonly transports: readonly string[];
  /** Patterns of the sent event types. */
  readonly eventTypes?: readonly string[];
  readonly maxSubscriptions: number;
  readonly contact?: string;
  /** The path of everything but the manifest. */
  readonly prefix?: string;
  /** The prefix with its origin. */
  readonly endpoint?: string;
  readonly socket?: { readonly path: string; readonly framing: string };
  /** Several agents in one session, distinguished by `producer`; or one session each, linked by an extension. */
  readonly multiAgent: "shared-session" | "linked-sessions";
  /** All states, if there are others than the protocol's. */
  readonly states?: readonly string[];
  /** Public keys for verifying signatures, for clients that decide to trust them. */
  readonly keys?: readonly JsonObject[];
}

/**
 * A producer's manifest. AAEP requires prefix, framing, custom states and the multi-agent pattern but defines no members for them, so
 * they are under Earshot's prefix.
 */
export function createManifest(offer: ProducerOffer, facts: ManifestFacts): Manifest {
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
