import { type ReconnectOptions, reconnect } from "@earshot/aaep/reconnect";
import { isObject } from "@earshot/protocol";
import { EarshotError, PROBLEMS, type Problem } from "@earshot/protocol/problem";
import { SseParser } from "@earshot/protocol/sse";
import type { CommandIo } from "@earshot/terminal/io";
import type { HubAccess } from "../hub-client.ts";

export interface FollowOptions extends ReconnectOptions {
  /** Finds the hub each time, because a restart may change its address. Throws if there is none. */
  readonly open: () => Promise<HubAccess>;
  /** Session, protocol, type, agent and alerts, as query parameters of the hub. */
  readonly filter: Readonly<Record<string, string>>;
  readonly after: string;
}

/** Reports on standard error when the hub is gone and when it is back. */
export function reportAbsence({ err }: CommandIo): Pick<ReconnectOptions, "onGone" | "onBack"> {
  return {
    onGone: () => err("earshot: the hub is gone; waiting for it to come back\n"),
    onBack: () => err("earshot: the hub is back\n"),
  };
}

/** A message of the hub: a frame, its position, or an alert if requested. */
export interface HubMessage {
  readonly kind: "entry" | "position" | "alert";
  readonly json: string;
  readonly position: number;
}

/**
 * Yields the hub's entries from a position on, without end. A lost connection is resumed after the last position, without gaps or
 * repetitions. Only permanent errors are thrown.
 */
export async function* followEntries({ open, filter, after, ...options }: FollowOptions): AsyncGenerator<HubMessage> {
  let from = after;
  const connect = async function* () {
    const query = new URLSearchParams({ after: from, ...filter });
    for await (const told of stream(await open(), `/api/live?${query}`, options.signal)) {
      from = String(told.position);
      yield told;
    }
  };
  yield* reconnect(connect, options);
}

/** The newest position, if this is the hub's first message; entries up to it are history. */
export function headPositionOf({ kind, json }: HubMessage): number | undefined {
  const value: unknown = kind === "position" && json !== "" ? JSON.parse(json) : undefined;
  return isObject(value) && typeof value["head"] === "number" ? value["head"] : undefined;
}

async function* stream({ url, headers }: HubAccess, path: string, signal: AbortSignal): AsyncGenerator<HubMessage> {
  const response = await fetch(`${url}${path}`, { headers: { ...headers, accept: "text/event-stream" }, signal });
  if (!response.ok || response.body === null) throw await refusalOf(response);
  const decoder = new TextDecoder();
  const parser = new SseParser();
  let last = Number.NaN;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    for (const { event, id, data } of parser.feed(decoder.decode(chunk, { stream: true }))) {
      // An alert has no id of its own and must not change the position.
      const position = event === "alert" ? last : /^\d{1,16}$/.test(id) ? Number(id) : Number.NaN;
      if (Number.isNaN(position)) continue;
      last = position;
      if (event === "alert") yield { kind: "alert", json: data, position };
      else yield { kind: event === "message" && data !== "" ? "entry" : "position", json: data, position };
    }
  }
}

async function refusalOf(response: Response): Promise<EarshotError> {
  const body: unknown = await response.json().catch(() => undefined);
  const code = isObject(body) ? body["code"] : undefined;
  const message = isObject(body) ? body["message"] : undefined;
  if (typeof code !== "string" || typeof message !== "string" || !Object.hasOwn(PROBLEMS, code)) {
    return new EarshotError({ code: "INTERNAL", message: `The hub answered with status ${response.status}.` });
  }
  return new EarshotError({ code: code as Problem["code"], message });
}
