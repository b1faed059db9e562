import { readFileSync } from "node:fs";
import { join } from "node:path";
import { callJson as call } from "../../packages/hub/src/access/testing/test-device.ts";
import type { HubProcess } from "../hub/hub-process.ts";

type Body = Readonly<Record<string, unknown>>;

/** Agents that ask a hub in two protocols and wait for the answers. */
export interface Asker extends AsyncDisposable {
  /** A hook asks about a tool; returns the request's id. */
  hook(tool: string, input: object, more?: object): Promise<string>;
  /** An AAEP agent asks: `confirmation`, `clarification`, `handoff`. */
  aaep(type: string, more: object): Promise<string>;
  /** The answer that the asker finally receives. */
  heard(id: string): Promise<Body>;
}

let count = 0;

export function createAsker(hub: HubProcess): Asker {
  const producer = { authorization: `Bearer ${readFileSync(join(hub.home, "producer.token"), "utf8").trim()}` };
  const closing = new AbortController();
  const waiting = new Map<string, Promise<Body>>();
  /** Polls like a hook, and sends the question again to a restarted hub. */
  const wait = async (path: string, askAgain?: () => Promise<unknown>): Promise<Body> => {
    while (!closing.signal.aborted) {
      const answer = await call(hub.url, `${path}?wait=1000`, undefined, producer).catch(() => undefined);
      if (answer?.["waits"] === false) return answer;
      if (answer?.["again"] === true) await askAgain?.();
    }
    return {};
  };
  return {
    async hook(tool, input, more = {}) {
      count++;
      const event = {
        aep_version: "0.1",
        id: `evt_${count}`,
        type: "action.requested",
        time: new Date().toISOString(),
        agent: { slug: "claude" },
        session: { id: `session-${count}` },
        workspace: { cwd: "/home/ana/shop" },
        action: { type: "tool_call", id: `call_${count}`, input },
        tool: { name: tool, type: "native" },
        ...more,
      };
      const ask = () => call(hub.url, "/aep/v1/hooks?asks=1&dialog=1&longest=3600000&wait=0", event, producer);
      const { request } = await ask();
      waiting.set(String(request), wait(`/aep/v1/hooks/${String(request)}`, ask));
      return String(request);
    },
    async aaep(type, more) {
      count++;
      const event = {
        "@context": "https://aaep-protocol.org/context/v1",
        type: `aaep:agent.${type}`,
        event_id: `evt_a${count}`,
        session_id: `sess_a${count}`,
        timestamp: new Date().toISOString(),
        producer: { agent_id: "invoice-desk" },
        urgency: "critical",
        ...(type === "handoff.requested" ? {} : { reply_token: `rpl_a${count}`, timeout_seconds: 3000 }),
        ...more,
      };
      const verdict = await call(hub.url, "/v1/events", event, producer);
      const request = String(verdict["request"]);
      waiting.set(request, wait(`/v1/answers/${request}`));
      return request;
    },
    heard: (id) => waiting.get(id) ?? Promise.reject(new Error("Nobody asked that.")),
    async [Symbol.asyncDispose]() {
      closing.abort();
      await Promise.all(waiting.values());
    },
  };
}
