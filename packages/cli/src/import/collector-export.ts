/** The members that an AOP collector writes into each line of an export, in its order. */
const MEMBERS = "spec,session_id,parent_session_id,agent_id,agent_version,sequence,timestamp,type,payload";
const NULL_VERSION = '"agent_version":null,';

/**
 * A collector exports `null` for a version that it was never told. Left out, as it was when the event was sent, the line is
 * the same event as the row in the collector's database: whoever imports both stores it once.
 */
export function asItWasSent(text: string): string {
  if (!text.includes(NULL_VERSION)) return text;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Object.keys(value).join(",") !== MEMBERS) return text;
    if (!("agent_version" in value) || value.agent_version !== null) return text;
    return JSON.stringify({ ...value, agent_version: undefined });
  } catch {
    return text; // the hub says what is wrong with it
  }
}
