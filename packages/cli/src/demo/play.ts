import { setTimeout as wait } from "node:timers/promises";
import { isObject, type JsonObject } from "@earshot/protocol";
import { EarshotError } from "@earshot/protocol/problem";
import { playCodingAgent } from "./coding-agent.ts";
import { playInvoiceAgent } from "./invoice-agent.ts";
import { playResearchAgents } from "./research-agents.ts";
import type { DemoStage } from "./stage.ts";

export interface DemoOptions {
  readonly url: string;
  /** A producer token. */
  readonly token: string;
  /** Speed factor. */
  readonly speed: number;
  readonly run: string;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
  /** Time for the person's answer, independent of the speed. */
  readonly answerSeconds?: number;
}

const ANSWER_SECONDS = 120;
const POLL_MS = 20_000;

/** Plays the story: three agents in three protocols at the same time. Ends with the last one, or at once if one fails. */
export async function playDemo(options: DemoOptions): Promise<void> {
  const failed = new AbortController();
  const stage = createStage({ ...options, signal: AbortSignal.any([options.signal, failed.signal]) });
  try {
    await Promise.all([playCodingAgent(stage), playResearchAgents(stage), playInvoiceAgent(stage)]);
  } finally {
    failed.abort();
  }
}

function createStage({ url, token, speed, run, print: tell, signal, answerSeconds = ANSWER_SECONDS }: DemoOptions): DemoStage {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const call = async (method: "GET" | "POST", path: string, body?: object): Promise<JsonObject> => {
    const sent = body === undefined ? { method, headers, signal } : { method, headers, signal, body: JSON.stringify(body) };
    const response = await fetch(`${url}${path}`, sent).catch((cause: unknown) => {
      if (signal.aborted) throw cause;
      throw new EarshotError({ code: "HUB_NOT_FOUND", message: "The hub went away in the middle of the story." }, { cause });
    });
    const answer: unknown = await response.json();
    if (!isObject(answer as JsonObject)) throw new EarshotError({ code: "INTERNAL", message: "The hub's answer cannot be read." });
    if (!response.ok) throw new EarshotError(answer as unknown as EarshotError["problem"]);
    return answer as JsonObject;
  };
  return {
    run,
    print: tell,
    now: () => new Date().toISOString(),
    pause: (seconds) => wait((seconds * 1000) / speed, undefined, { signal }),
    send: async (event) => {
      await call("POST", "/v1/events", event);
    },
    async ask(event) {
      const longest = answerSeconds * 1000;
      const put = () => call("POST", `/aep/v1/hooks?asks=1&dialog=1&longest=${longest}&wait=0`, event);
      let answer = await put();
      while (answer["waits"] === true) {
        const poll = `/aep/v1/hooks/${String(answer["request"])}?wait=${POLL_MS}`;
        answer = answer["again"] === true ? await put() : await call("GET", poll); // a hub that was started anew has to be asked anew
      }
      const response = answer["response"];
      const control = isObject(response) ? response["control"] : undefined;
      const behavior = isObject(control) ? control["behavior"] : undefined;
      if (behavior === "allow" || behavior === "continue") return "allowed";
      return behavior === "deny" || behavior === "block" || behavior === "stop" ? "denied" : "unanswered";
    },
  };
}
