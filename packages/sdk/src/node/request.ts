import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import type { PlatformRequest, PlatformResponse } from "../delivery/platform.ts";

/** Errors that prove that nothing arrived. */
const UNSENT: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOENT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ERR_INVALID_URL",
]);
const MAX_ANSWER_CHARACTERS = 65_536;

/**
 * One request over `node:http`, because a process's first `fetch` costs 45 to 80 ms. The connection is kept alive; neither it nor the
 * timer keeps the process alive.
 */
export function createRequest(through: ReceiverAccess = {}): (asked: PlatformRequest) => Promise<PlatformResponse> {
  const agent = new Agent({ keepAlive: true, maxSockets: through.maxSockets ?? 1 });
  return async (asked) => {
    try {
      if (!asked.url.startsWith("https:")) return await ask(asked, requestHttp, { ...through, agent });
      // Loaded on demand: it includes all of TLS.
      const { request } = await import("node:https");
      return await ask(asked, request, {});
    } catch {
      return { kind: "unsent" }; // an address that is none
    }
  };
}

/** Socket path and credential of the receiver. */
export interface ReceiverAccess {
  readonly socketPath?: string;
  /** Read when needed. */
  readonly token?: () => string | undefined;
  readonly maxSockets?: number;
}

function ask(
  asked: PlatformRequest,
  request: typeof requestHttp,
  { agent, socketPath, token }: ReceiverAccess & { agent?: Agent },
): Promise<PlatformResponse> {
  const { url, method, body, contentType, timeoutMs } = asked;
  return new Promise((resolve) => {
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const credential = token?.();
    const headers = {
      ...(bytes === undefined ? {} : { "content-type": contentType ?? "application/json", "content-length": bytes.length }),
      ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
    };
    const by = { ...(agent === undefined ? {} : { agent }), ...(socketPath === undefined ? {} : { socketPath }) };
    const sending: ClientRequest = request(url, { method, headers, ...by });
    const timer = setTimeout(() => finish({ kind: "unanswered" }), timeoutMs).unref();
    const finish = (answer: PlatformResponse) => {
      clearTimeout(timer);
      resolve(answer);
      if (answer.kind !== "answered") sending.destroy();
    };
    sending.on("socket", (socket) => socket.unref());
    sending.on("error", (error: NodeJS.ErrnoException) => finish(toAnswer(error, sending.reusedSocket)));
    sending.on("response", (response) => readAnswer(response, finish));
    sending.end(bytes);
  });
}

/** An expired keep-alive connection took nothing. */
function toAnswer({ code = "" }: NodeJS.ErrnoException, wasKept: boolean): PlatformResponse {
  return { kind: UNSENT.has(code) || (wasKept && (code === "ECONNRESET" || code === "EPIPE")) ? "unsent" : "unanswered" };
}

function readAnswer(response: IncomingMessage, finish: (answer: PlatformResponse) => void): void {
  let body = "";
  response.setEncoding("utf8");
  response.on("data", (chunk: string) => {
    // A longer body is read to its end and discarded, so that the connection can be reused.
    if (body.length < MAX_ANSWER_CHARACTERS) body += chunk;
  });
  response.on("end", () => finish({ kind: "answered", status: response.statusCode ?? 0, body }));
  response.on("error", () => finish({ kind: "unanswered" }));
  response.on("aborted", () => finish({ kind: "unanswered" }));
}
