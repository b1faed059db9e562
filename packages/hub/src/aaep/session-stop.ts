import { type Principal, SESSION_STOP } from "@earshot/aaep";
import type { JsonObject } from "@earshot/protocol";
import { redactText } from "../intake/redact-text.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Engine } from "../requests/engine.ts";

export interface SessionStopPorts {
  readonly engine: Pick<Engine, "stop" | "control">;
  readonly ledger: Pick<Ledger, "findSessions">;
}

const LONGEST_REASON = 1000;

/** Whether a message asks for the end of a session. */
export function isSessionStop(message: JsonObject): boolean {
  return message["type"] === SESSION_STOP && typeof message["session_id"] === "string";
}

/**
 * Stops what a subscriber knows by this id. Several sources may have sessions of one id, which subscribers cannot tell apart:
 * all of them are stopped then. What somebody asks who may not decide is not done, and not told.
 */
export async function stopSession(message: JsonObject, { mayReply, name }: Principal, { engine, ledger }: SessionStopPorts): Promise<void> {
  if (!mayReply) return;
  engine.control.present();
  const { session_id: session, reason: said } = message;
  const reason = typeof said === "string" && said !== "" ? redactText(said.slice(0, LONGEST_REASON)).text : undefined;
  for (const { protocol, source, id } of await ledger.findSessions(String(session), "aaep")) {
    await engine.stop({ protocol, source, session: id }, name, reason);
  }
}
