import { AaepDesk } from "../aaep/aaep-desk.ts";
import { producerIdOf } from "../aaep/producer-id.ts";
import { principalOf, toPrincipal } from "../http/aaep.ts";
import type { HubContext } from "../hub-options.ts";
import type { OpenAccess } from "./open-access.ts";
import type { OpenDecisions } from "./open-decisions.ts";
import type { OpenRecord } from "./open-record.ts";

export interface AaepPorts {
  readonly record: OpenRecord;
  readonly own: OpenAccess;
  readonly decisions: OpenDecisions;
  /** Where its own socket is, once there is one. */
  readonly socket: () => string | undefined;
}

/** The ledger as assistive technology hears it, and the way by which its replies come back. */
export function openAaep({ options, open, url, onFailure }: HubContext, { record, own, decisions, socket }: AaepPorts): AaepDesk {
  const { home, version, publicUrl } = options;
  const { ledger, views, maxListeners } = record;
  const { gate, connections, credentials } = own.access;
  const desk = new AaepDesk({
    home,
    ledger,
    views,
    engine: decisions.engine,
    secret: decisions.requestKey,
    identity: () => ({
      agentId: producerIdOf(home),
      version,
      url: publicUrl?.origin ?? url,
      socket: socket(),
      maxSubscriptions: maxListeners,
    }),
    principalOf,
    authorise: (request) => toPrincipal(own.admit(request), credentials),
    admit: (shown, peer) => {
      const caller = gate.admit(shown, "read");
      connections.keep(caller, peer);
      return toPrincipal(caller, credentials);
    },
    now: Date.now,
    onFailure,
  });
  open.use(desk);
  return desk;
}
