import type { AaepPorts, OpenAaep } from "../aaep/open-aaep.ts";
import { producerIdOf } from "../home.ts";
import { principalOf, toPrincipal } from "../http/aaep.ts";
import type { HubContext } from "../hub-options.ts";
import { Lazy } from "../lazy.ts";
import type { OpenAccess } from "./open-access.ts";
import type { OpenDecisions } from "./open-decisions.ts";
import type { OpenRecord } from "./open-record.ts";

interface AaepParts {
  readonly record: OpenRecord;
  readonly own: OpenAccess;
  readonly decisions: OpenDecisions;
  /** The path of its own socket, once there is one. */
  readonly socket: () => string | undefined;
}

/** The AAEP producer over the ledger, and the path of its replies. */
export function openAaep(context: HubContext, { record, own, decisions, socket }: AaepParts): Lazy<OpenAaep> {
  const { options, open, url, cluster, onFailure } = context;
  const { home, version, publicUrl } = options;
  const { ledger, views, maxListeners } = record;
  const { gate, connections, credentials } = own.access;
  const ports: AaepPorts = {
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
      takesReplies: options.isOpenToReaders !== true,
    }),
    principalOf,
    authorise: (request) => toPrincipal(own.admit(request), credentials),
    admit: (shown, peer) => {
      const caller = gate.admit(shown, "read");
      connections.keep(caller, peer);
      return toPrincipal(caller, credentials);
    },
    now: cluster.now,
    onFailure,
  };
  const load = async () => (await import("../aaep/open-aaep.ts")).openAaep(ports);
  return open.use(new Lazy(load, (opened) => opened[Symbol.dispose]()));
}
