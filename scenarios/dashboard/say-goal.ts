import { aopEvent, type HubProcess } from "../hub/hub-process.ts";

/** A session begins now, with a goal by which it is found on a page. */
export async function sayGoal(hub: HubProcess, number: number): Promise<void> {
  const event = JSON.parse(aopEvent({ session: `session-${number}`, sequence: 1, payload: { goal: `Goal number ${number}` } })) as object;
  await hub.post("/v1/events", JSON.stringify({ ...event, timestamp: new Date().toISOString() }));
}
