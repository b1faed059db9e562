import { EarshotError, type ProtocolName } from "@earshot/protocol";
import Type from "typebox";
import { idParameters } from "../api-schema.ts";
import type { Ledger, SessionInfo } from "../ledger/ledger.ts";

/** Which session is meant, where an id alone is not enough. */
export const sourceQuery = Type.Object({
  protocol: Type.Optional(Type.Enum(["aaep", "aep", "aop"])),
  source: Type.Optional(Type.String()),
});
export const sessionRequest = { params: idParameters, querystring: sourceQuery };

export interface SessionName {
  readonly id: string;
  readonly protocol?: ProtocolName | undefined;
  readonly source?: string | undefined;
}

/**
 * The one session that is meant. Ids belong to a source, and anybody may post events under an id that another source uses: where
 * several have it, the caller has to say which.
 */
export async function findOneSession(ledger: Ledger, { id, protocol, source }: SessionName): Promise<SessionInfo> {
  const found = (await ledger.findSessions(id)).filter(
    (session) => (protocol === undefined || session.protocol === protocol) && (source === undefined || session.source === source),
  );
  const [session, other] = found;
  if (session === undefined) {
    throw new EarshotError({ code: "NOT_FOUND", message: `No session ${JSON.stringify(id.slice(0, 80))} was heard.` });
  }
  if (other !== undefined) {
    const names = found.slice(0, MAX_NAMED_SOURCES).map((one) => `${one.source} (${one.protocol})`);
    const message = `Several sources have a session ${JSON.stringify(id.slice(0, 80))}: ${names.join(", ")}.`;
    throw new EarshotError({ code: "WRONG_QUERY", message, hint: "Say which by `protocol` and `source`." });
  }
  return session;
}

const MAX_NAMED_SOURCES = 8;
