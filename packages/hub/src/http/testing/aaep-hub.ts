import { callJson } from "../../access/testing/test-device.ts";
import { openTestHub, type RequestHeaders, type TestHub } from "./test-hub.ts";

/** A hub, and an AAEP producer that posts events to it. */
export interface AaepHub extends TestHub {
  say(type: string, session: string, more?: object): Promise<Readonly<Record<string, unknown>>>;
  /** Asks for a confirmation. */
  confirm(session: string, more?: object): Promise<Readonly<Record<string, unknown>>>;
  /** The answer to a request, once there is one. */
  answered(request: unknown): Promise<Readonly<Record<string, unknown>>>;
  /** The credential of a new approver. */
  addApprover(name: string): Promise<{ readonly token: string; readonly headers: RequestHeaders }>;
}

export async function openAaepHub(): Promise<AaepHub> {
  const own = await openTestHub();
  const { hub, admin, producer } = own;
  let count = 0;
  const say = (type: string, session: string, more: object = {}) => {
    const event = {
      "@context": "https://aaep-protocol.org/context/v1",
      type: `aaep:agent.${type}`,
      event_id: `evt_${++count}`,
      session_id: session,
      timestamp: new Date().toISOString(),
      producer: { agent_id: "query-doctor" },
      localization_hints: { primary_language: "en" },
      ...more,
    };
    return callJson(hub.url, "/aaep/v1/events", event, producer);
  };
  return {
    ...own,
    hub,
    say,
    confirm: (session, more = {}) =>
      say("awaiting.confirmation", session, {
        urgency: "critical",
        action: "Drop the table.",
        consequence: "It is gone.",
        reply_token: "rpl_same",
        timeout_seconds: 600,
        default_decision: "reject",
        ...more,
      }),
    answered: (request) => callJson(hub.url, `/v1/answers/${String(request)}?wait=20000`, undefined, producer),
    async addApprover(name) {
      const token = String((await callJson(hub.url, "/api/tokens", { name, role: "approver", owner: "tests" }, admin))["token"]);
      return { token, headers: { authorization: `Bearer ${token}` } };
    },
  };
}
