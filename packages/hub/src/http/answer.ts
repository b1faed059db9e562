import { Readable } from "node:stream";
import { EarshotError, PROBLEMS, type Problem } from "@earshot/protocol";
import type { FastifyReply } from "fastify";

/** A response, independent of the transport. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The value of Retry-After in seconds. */
const RETRY_AFTER_S = 1;
export const JSON_TYPE = "application/json; charset=utf-8";
export const JSON_HEADERS: HttpReply["headers"] = { "content-type": JSON_TYPE };

/** The body of a problem; `error` is what AOP collector clients read. */
export function toProblemReply(problem: Problem, more: Readonly<Record<string, unknown>> = {}): HttpReply {
  const { status, retryable, help } = PROBLEMS[problem.code];
  const isSoonOver = retryable && (status === 503 || status === 507);
  return {
    status,
    headers: isSoonOver ? { "content-type": JSON_TYPE, "retry-after": String(RETRY_AFTER_S) } : JSON_HEADERS,
    body: JSON.stringify({ error: problem.message, ...problem, hint: problem.hint ?? help, ...more }),
  };
}

export function answerProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  return sendAnswer(reply, toProblemReply(problem));
}

export function sendAnswer(reply: FastifyReply, { status, headers, body }: HttpReply): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}

/** Converts any thrown value to a problem without internals. */
export function toProblemWithoutInternals(error: unknown): Problem {
  if (EarshotError.is(error)) return error.problem;
  const status = typeof error === "object" && error !== null && "statusCode" in error ? error.statusCode : undefined;
  switch (status) {
    case 413:
      return { code: "TOO_LARGE", message: "The request is too large." };
    case 415:
      return { code: "CONTENT_TYPE", message: "The content type is missing or not read here." };
    case 404:
      return { code: "NOT_FOUND", message: "There is nothing at this address." };
    default:
      return typeof status === "number" && status >= 400 && status < 500
        ? { code: "WRONG_QUERY", message: "The request could not be understood." }
        : { code: "INTERNAL", message: "The hub failed. What was acknowledged before is safe." };
  }
}

/** A reader that accepts nothing for this long is disconnected. */
const STALLED_MS = 30_000;

/**
 * Sends a body in pieces. Each piece is created when the connection has accepted the previous one, so that a slow reader costs one piece
 * of memory, and none is created for a reader that has gone. If creating a later piece fails, the connection is cut, because a partial
 * answer must not look complete.
 */
export function sendPieces(reply: FastifyReply, pieces: AsyncIterable<string>, stalledMs: number = STALLED_MS): FastifyReply {
  // A HEAD request must not read everything.
  if (reply.request.method === "HEAD") return reply.send("");
  const stream = Readable.from(guarded(), { objectMode: false, highWaterMark: 1 });
  return reply.send(stream);

  async function* guarded(): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      if (piece === "") continue;
      const timer = setTimeout(() => stream.destroy(new Error("The reader took nothing for too long.")), stalledMs);
      try {
        yield Buffer.from(piece);
      } finally {
        clearTimeout(timer);
      }
    }
  }
}
