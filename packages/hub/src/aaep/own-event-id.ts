import { createHmac } from "node:crypto";

/**
 * The id of an event that the hub adds for an entry of its own. It names the position, so that whoever resumes after it needs
 * no memory of the hub's; and cannot be made up by an agent to have others resume somewhere else.
 */
export function ownEventId(position: number, secret: string): string {
  const seal = createHmac("sha256", secret).update(`aaep event ${position}`).digest("hex").slice(0, 32);
  return `evt_earshot${position}x${seal}`;
}

/** The position in an id that this hub has made; undefined for all others. */
export function ownPosition(eventId: string, secret: string): number | undefined {
  const [, digits] = /^evt_earshot(\d{1,16})x[\da-f]{32}$/.exec(eventId) ?? [];
  const position = Number(digits);
  return digits !== undefined && ownEventId(position, secret) === eventId ? position : undefined;
}
