import { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { EarshotError, PROBLEMS, type Problem, type SubscriptionRejected } from "@earshot/protocol";
import { type RejectionReason, rejectRequest } from "../producer/negotiate.ts";

/** The answer to a request. */
export interface HttpAnswer {
  readonly status: number;
  /** A plain object, written as JSON. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export const NO_CONTENT: HttpAnswer = { status: 204 };
/** The actual answer comes on the stream or shows in later events. */
export const ANSWERED_ON_STREAM: HttpAnswer = { status: 202 };

const STATUS: Record<RejectionReason, number> = {
  version_unsupported: 409,
  manifest_signature_required: 409,
  capabilities_incompatible: 409,
  rate_limit: 429,
  authentication_required: 401,
  authorization_denied: 403,
  transport_unavailable: 503,
  unknown: 500,
};

/** A rejection always uses the protocol's message; the status repeats it for plain HTTP clients. */
export function rejectionAnswer(message: SubscriptionRejected): HttpAnswer {
  const headers: Record<string, string> = {};
  if (message.retry_after_seconds !== undefined) headers["retry-after"] = String(message.retry_after_seconds);
  if (message.reason_code === "authentication_required") headers["www-authenticate"] = "Bearer";
  return { status: STATUS[message.reason_code], body: message, headers };
}

export function problemAnswer(problem: Problem, headers: HttpAnswer["headers"] = {}): HttpAnswer {
  const { status, help } = PROBLEMS[problem.code];
  return {
    status,
    body: { error: problem.message, ...problem, hint: problem.hint ?? help },
    headers: status === 401 ? { "www-authenticate": "Bearer", ...headers } : headers,
  };
}

/** The protocol's rejection for a problem with subscribing; undefined for other problems. */
export function toRejection({ code, message }: Problem): SubscriptionRejected | undefined {
  if (code === "NOT_AUTHORISED") return rejectRequest("authentication_required", message).rejected;
  if (code === "NOT_PERMITTED" || code === "HOST_REFUSED") return rejectRequest("authorization_denied", message).rejected;
  return undefined;
}

/** The problem without internals. */
export function toPublicProblem(error: unknown): Problem {
  return EarshotError.is(error) ? error.problem : { code: "INTERNAL", message: "The producer failed." };
}

export function writeHttpAnswer(response: ServerResponse, { status, body, headers }: HttpAnswer): void {
  if (response.headersSent || response.destroyed) return;
  const text = body === undefined ? undefined : JSON.stringify(body);
  const described: OutgoingHttpHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
  if (text !== undefined) {
    described["content-type"] = "application/json; charset=utf-8";
    described["content-length"] = Buffer.byteLength(text);
  }
  response.writeHead(status, { ...described, ...headers });
  response.end(text);
}

/** Before the upgrade, a problem is answered as over HTTP. */
export function refuseUpgrade(socket: Duplex, problem: Problem): void {
  const { status, help } = PROBLEMS[problem.code];
  const body = JSON.stringify({ error: problem.message, ...problem, hint: problem.hint ?? help });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    "cache-control: no-store",
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}

export interface CorsOptions {
  /** Whether pages of this origin may read the answers; default: none. `authorise` identifies the caller. */
  readonly allowOrigin?: (origin: string) => boolean;
}

/** Sends the CORS headers. */
export function sendCorsHeaders(request: IncomingMessage, response: ServerResponse, { allowOrigin }: CorsOptions): void {
  const { origin } = request.headers;
  if (origin === undefined || allowOrigin?.(origin) !== true) return;
  response.setHeader("access-control-allow-origin", origin);
  response.setHeader("vary", "origin");
  response.setHeader("access-control-expose-headers", "location, retry-after");
  if (isPreflight(request)) {
    response.setHeader("access-control-allow-headers", "authorization, content-type, last-event-id, cache-control");
    response.setHeader("access-control-max-age", "600");
  }
}

export function isPreflight(request: IncomingMessage): boolean {
  return request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined;
}
