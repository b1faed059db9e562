import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller, RouteNeeds } from "../access/gate.ts";
import type { AccessPorts } from "./access.ts";
import { type Answer, toAnswer, toProblem } from "./answer.ts";
import { ANSWER_HEADERS } from "./app.ts";
import { GATHERED_BYTES, sizeOf } from "./take-events.ts";

/** Takes a request and says so, or leaves it to the router. */
export type ShortWay = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Who sends one of these is a page, or wants something out of the ordinary. */
const UNUSUAL = ["origin", "sec-fetch-site", "content-encoding", "transfer-encoding", "expect", "upgrade", "x-earshot-nonce"] as const;

/** Whether a program posts JSON. What else there is to look at waits until the address is known to be one of ours. */
export function isJsonPost({ method, headers }: IncomingMessage): boolean {
  return method === "POST" && headers["content-type"] === "application/json";
}

/** Who posts, where all of it is plain and the gate lets it in. Undefined otherwise: the router says what is wrong. */
export function letInPlain(
  request: IncomingMessage,
  response: ServerResponse,
  needs: RouteNeeds,
  { gate, connections }: AccessPorts,
): Caller | undefined {
  if (!(sizeOf(request) <= GATHERED_BYTES) || UNUSUAL.some((name) => request.headers[name] !== undefined)) return undefined;
  let caller: Caller;
  try {
    caller = gate.check(request, needs);
  } catch {
    return undefined;
  }
  if (caller.credential !== undefined) connections?.keep(caller.credential, response);
  return caller;
}

/** What went wrong, as the router would tell it. */
export function tellFailure(error: unknown, onFailure: (error: unknown) => void): Answer {
  const problem = toProblem(error);
  if (problem.code === "INTERNAL") onFailure(error);
  return toAnswer(problem);
}

/** Sends an answer as the router would. */
export function sendPlain(response: ServerResponse, { status, headers, body }: Answer): void {
  if (response.headersSent || response.destroyed) return;
  const bytes = Buffer.byteLength(body);
  const all = [...ANSWER_HEADERS, "content-length", String(bytes)];
  for (const name in headers) all.push(name, headers[name] ?? "");
  response.writeHead(status, all);
  // ASCII, as nearly always, is written as it is; UTF-8 has to be made.
  response.end(body, bytes === body.length ? "latin1" : "utf8");
}
