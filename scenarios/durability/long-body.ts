import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { type HubProcessOptions, startHub } from "../hub/hub-process.ts";
import { residentMegabytes } from "./listeners.ts";

export interface LongBodyReport {
  readonly events: number;
  readonly stored: number;
  readonly bodyMegabytes: number;
  readonly growthMegabytes: number;
}

const MEGABYTE = 1024 * 1024;
const FILLER = "x".repeat(800);

/** Sends one request with a body of this length at full speed and measures the hub's memory. */
export async function sendLongBody(
  megabytes: number,
  how: Pick<HubProcessOptions, "bin" | "args" | "nodeArguments"> = {},
): Promise<LongBodyReport> {
  await using hub = await startHub(how);
  // Warm-up: compiled code, threads and caches are not growth.
  await send(hub.url, 24 * MEGABYTE, 0);
  const before = residentMegabytes(hub);
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, residentMegabytes(hub));
  }, 50);
  try {
    const { events, answer } = await send(hub.url, megabytes * MEGABYTE, 1);
    const { stored = 0 } = JSON.parse(answer) as { readonly stored?: number };
    return { events, stored, bodyMegabytes: megabytes, growthMegabytes: Math.round(most - before) };
  } finally {
    clearInterval(sampling);
  }
}

async function send(url: string, bytes: number, run: number): Promise<{ readonly events: number; readonly answer: string }> {
  const headers = { "content-type": "application/x-ndjson" };
  const outgoing = request(`${url}/v1/events`, { method: "POST", headers });
  const responding = once(outgoing, "response") as Promise<[IncomingMessage]>;
  const events = await write(outgoing, bytes, run);
  const [response] = await responding;
  let answer = "";
  for await (const chunk of response) answer += String(chunk);
  if (response.statusCode !== 200) throw new Error(`The body was answered ${response.statusCode}: ${answer.slice(0, 300)}`);
  return { events, answer };
}

async function write(outgoing: ClientRequest, bytes: number, run: number): Promise<number> {
  let events = 0;
  for (let sent = 0; sent < bytes; ) {
    let block = "";
    while (block.length < 64 * 1024) block += `${event(run, events++)}\n`;
    sent += block.length;
    if (!outgoing.write(block)) await once(outgoing, "drain");
  }
  outgoing.end();
  return events;
}

function event(run: number, number: number): string {
  const session_id = `long-${run}-${Math.floor(number / 1000)}`;
  const timestamp = new Date(Date.UTC(2026, 0, 1) + number).toISOString();
  const payload = { content: `${number} ${FILLER}` };
  const sequence = (number % 1000) + 1;
  return JSON.stringify({ spec: "aop/1.0", session_id, agent_id: "a", sequence, timestamp, type: "cognition.thought", payload });
}
