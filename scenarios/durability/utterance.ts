import type { ProtocolName } from "@earshot/protocol";

/**
 * The text of an event, derived from sender and number: a text identifies its sender and number and vice versa, so nothing needs to be
 * remembered.
 */
export function utterance(speaker: number, number: number): string {
  const session = Math.floor(number / SESSION_EVENTS);
  const mark = `${speaker}.${number}`;
  const time = new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString();
  switch (protocolOf(speaker)) {
    case "aaep": {
      const isFirst = number % SESSION_EVENTS === 0;
      return JSON.stringify({
        "@context": "https://aaep-protocol.org/context/v1",
        type: isFirst ? "aaep:agent.session.started" : "aaep:agent.progress.updated",
        event_id: `evt_${speaker}x${number}`,
        session_id: `sess_${speaker}x${session}`,
        timestamp: time,
        producer: { agent_id: `agent-${speaker}` },
        localization_hints: { primary_language: "en" },
        summary_normal: `mark ${mark}`,
        ...(isFirst ? {} : { progress: { step: number + 1 } }),
      });
    }
    case "aep":
      return JSON.stringify({
        aep_version: "0.1",
        id: `evt_${speaker}_${number}`,
        type: "notification.sent",
        time,
        agent: { slug: `agent-${speaker}` },
        session: { id: `aep-${speaker}-${session}` },
        content: [{ type: "notification", text: `mark ${mark}` }],
      });
    case "aop":
      return JSON.stringify({
        spec: "aop/1.0",
        session_id: `aop-${speaker}-${session}`,
        agent_id: `agent-${speaker}`,
        sequence: (number % SESSION_EVENTS) + 1,
        timestamp: time,
        type: number % SESSION_EVENTS === 0 ? "session.started" : "cognition.thought",
        payload: number % SESSION_EVENTS === 0 ? { goal: `mark ${mark}` } : { content: `mark ${mark}` },
      });
  }
}

const SESSION_EVENTS = 500;
const PROTOCOLS: readonly ProtocolName[] = ["aaep", "aep", "aop"];

export function protocolOf(speaker: number): ProtocolName {
  return PROTOCOLS[speaker % PROTOCOLS.length] ?? "aop";
}

/** The sender and number of a text; undefined for other texts. */
export function utteredBy(text: string): { readonly speaker: number; readonly number: number } | undefined {
  const match = /"mark (\d+)\.(\d+)"/.exec(text);
  return match === null ? undefined : { speaker: Number(match[1]), number: Number(match[2]) };
}
