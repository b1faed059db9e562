import type { OpenAaep, OpenAaepOptions } from "../aaep/open-aaep.ts";
import { producerIdOf } from "../home.ts";
import { principalOf, toPrincipal } from "../http/aaep.ts";
import type { HubContext } from "../hub-options.ts";
import { Lazy } from "../lazy.ts";
import type { AccessParts } from "./open-access.ts";
import type { DecisionParts } from "./open-decisions.ts";
import type { RecordParts } from "./open-record.ts";

interface AaepParts {
  readonly record: RecordParts;
  readonly own: AccessParts;
  readonly decisions: DecisionParts;
  /** The path of its own socket, once there is one. */
  readonly socket: () => string | undefined;
}

/** The AAEP producer over the ledger, and the path of its replies. */
export function openLazyAaep(context: HubContext, { record, own, decisions, socket }: AaepParts): Lazy<OpenAaep> {
  const { options, open, url, cluster, onFailure } = context;
  const { home, version, publicUrl } = options;
  const { ledger, views, maxListeners } = record;
  const { gate, connections, credentials } = own.access;
  const ports: OpenAaepOptions = {
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
