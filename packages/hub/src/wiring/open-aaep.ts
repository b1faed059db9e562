import { AaepDesk } from "../aaep/aaep-desk.ts";
import { producerIdOf } from "../aaep/producer-id.ts";
import { principalOf, toPrincipal } from "../edge/aaep-routes.ts";
import type { Ground } from "./ground.ts";
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
export function openAaep({ options, open, url, onFailure }: Ground, { record, own, decisions, socket }: AaepPorts): AaepDesk {
  const { home, version, publicUrl } = options;
  const { ledger, views, maxListeners } = record;
  const { gate, connections } = own.access;
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
    authorise: (request) => toPrincipal(own.admit(request)),
    admit: (shown, peer) => {
      const caller = gate.admit(shown, "read");
      if (caller.credential !== undefined) connections.keep(caller.credential, peer);
      return toPrincipal(caller);
    },
    now: Date.now,
    onFailure,
  });
  open.use(desk);
  record.keepsCopy(desk);
  return desk;
}
