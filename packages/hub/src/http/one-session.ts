import { EarshotError, isProtocolName } from "@earshot/protocol";
import type { Ledger, SessionInfo } from "../ledger/ledger.ts";

export interface SessionName {
  readonly id: string;
  readonly protocol?: unknown;
  readonly source?: unknown;
}

/**
 * The one session that is meant. Ids belong to a source, and anybody may post events under an id that another source uses: where
 * several have it, the caller has to say which.
 */
export async function findOneSession(ledger: Ledger, { id, protocol, source }: SessionName): Promise<SessionInfo> {
  if (protocol !== undefined && !isProtocolName(String(protocol))) throw wrong("`protocol` is one of aaep, aep and aop.");
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

function wrong(message: string): EarshotError {
  return new EarshotError({ code: "WRONG_QUERY", message });
}
