import type { ProtocolName } from "@earshot/protocol";
import type { Entry, Filter } from "../ledger/ledger.ts";

/** What a listener wants to hear. All that are given must hold; within one, any. */
export interface LiveFilter {
  readonly session?: string;
  readonly agent?: string;
  readonly protocol?: readonly ProtocolName[];
  /** A name, or the beginning of one followed by `*`. */
  readonly type?: readonly string[];
  readonly kind?: Entry["kind"];
}

/** A filter made ready. Equal filters have equal keys, so that their listeners can share what was written for one. */
export interface ReadyFilter {
  readonly key: string;
  matches(entry: Entry): boolean;
  /** As much of it as the ledger can apply while reading; `matches` decides in the end. Undefined when that is nothing. */
  readonly inLedger: Filter | undefined;
}

export function readyFilter({ session, agent, protocol, type, kind }: LiveFilter): ReadyFilter {
  const protocols = protocol === undefined ? undefined : [...new Set(protocol)].sort();
  const types = type === undefined ? undefined : [...new Set(type)].sort();
  const names = types?.filter((one) => !one.endsWith("*"));
  const beginnings = types?.filter((one) => one.endsWith("*")).map((one) => one.slice(0, -1)) ?? [];
  const inLedger: Filter = {
    ...(session === undefined ? {} : { session }),
    ...(agent === undefined ? {} : { agent }),
    ...(protocols === undefined ? {} : { protocol: protocols }),
    ...(names === undefined || beginnings.length > 0 ? {} : { type: names }),
  };
  return {
    key: JSON.stringify([session, agent, protocols, types, kind]),
    matches: (entry) =>
      (session === undefined || entry.session === session) &&
      (agent === undefined || entry.agent === agent) &&
      (protocols === undefined || protocols.includes(entry.protocol)) &&
      (kind === undefined || entry.kind === kind) &&
      (names === undefined || names.includes(entry.type) || beginnings.some((beginning) => entry.type.startsWith(beginning))),
    inLedger: Object.keys(inLedger).length > 0 ? inLedger : undefined,
  };
}
