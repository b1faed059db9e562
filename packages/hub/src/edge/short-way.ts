import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "../access/gate.ts";
import type { AccessPorts } from "./access.ts";
import { type Answer, toAnswer, toProblem } from "./answer.ts";
import { ANSWER_HEADERS } from "./app.ts";
import { EVENT_ADDRESSES } from "./events.ts";
import { type EventCall, GATHERED_BYTES, type Intake, originOf, sizeOf, TAKEN, takeGathered } from "./take-events.ts";

/** Takes a request and says so, or leaves it to the router. */
export type ShortWay = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface ShortWayPorts extends AccessPorts {
  readonly intake: Intake;
  readonly onFailure: (error: unknown) => void;
}

const NEEDS = { access: "speaker", takes: TAKEN } as const;
const NO_QUERY = {};
/** Who sends one of these is a page, or wants something out of the ordinary. */
const UNUSUAL = ["origin", "sec-fetch-site", "content-encoding", "transfer-encoding", "expect", "upgrade", "x-earshot-nonce"] as const;

/**
 * The way of nearly every request that a busy hub gets: one program posts one small body of JSON. The router does for it what it
 * does for all others, and most of that is not needed here. Who is let in is decided by the same gate; whatever is not plain, and
 * whoever is not let in, goes to the router, which has the same routes and says what is wrong.
 */
export function createShortWay({ intake, gate, connections, onFailure }: ShortWayPorts): ShortWay {
  return (request, response) => {
    const { method, url = "", headers } = request;
    if (method !== "POST" || headers["content-type"] !== "application/json") return false;
    const address = Object.hasOwn(EVENT_ADDRESSES, url) ? EVENT_ADDRESSES[url] : undefined;
    const size = sizeOf(request);
    if (address === undefined || !(size <= GATHERED_BYTES) || UNUSUAL.some((name) => headers[name] !== undefined)) return false;
    let caller: Caller;
    try {
      caller = gate.check(request, NEEDS);
    } catch {
      return false;
    }
    if (caller.credential !== undefined) connections?.keep(caller.credential, response);
    const call: EventCall = { request, query: NO_QUERY, caller, protocol: address.protocol, shape: address.shape };
    takeGathered({
      call,
      intake,
      origin: originOf(call),
      size,
      answer: (answer) => send(request, response, answer),
      fail: (error) => {
        const problem = toProblem(error);
        if (problem.code === "INTERNAL") onFailure(error);
        send(request, response, toAnswer(problem));
      },
    });
    return true;
  };
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Answer): void {
  if (response.headersSent || response.destroyed) return;
  const bytes = Buffer.byteLength(body);
  const all = [...ANSWER_HEADERS, "content-length", String(bytes)];
  for (const name in headers) all.push(name, headers[name] ?? "");
  // What is still to come of a body that was given up must not be taken for the next request, nor waited for.
  if (!request.complete) all.push("connection", "close");
  response.writeHead(status, all);
  // ASCII, as nearly always, is written as it is; UTF-8 has to be made.
  response.end(body, bytes === body.length ? "latin1" : "utf8");
}
