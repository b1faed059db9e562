import { Readable } from "node:stream";
import { EarshotError, PROBLEMS, type Problem } from "@earshot/protocol";
import type { FastifyReply } from "fastify";

/** What is sent back, whoever sends it. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Seconds after which a sender may try again. */
const RETRY_AFTER_S = 1;
const JSON_TYPE = "application/json; charset=utf-8";
export const JSON_HEADERS: Answer["headers"] = { "content-type": JSON_TYPE };

/** A problem as every client sees it; `error` is what clients of an AOP collector look for. */
export function toAnswer(problem: Problem, more: Readonly<Record<string, unknown>> = {}): Answer {
  const { status, retryable, help } = PROBLEMS[problem.code];
  const isSoonOver = retryable && (status === 503 || status === 507);
  return {
    status,
    headers: isSoonOver ? { "content-type": JSON_TYPE, "retry-after": String(RETRY_AFTER_S) } : JSON_HEADERS,
    body: JSON.stringify({ error: problem.message, ...problem, hint: problem.hint ?? help, ...more }),
  };
}

export function answerProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  return sendAnswer(reply, toAnswer(problem));
}

export function sendAnswer(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}

/** Whatever was thrown, as a problem that shows nothing of our insides. */
export function toProblem(error: unknown): Problem {
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

/** A reader that takes nothing for this long is left. */
const STALLED_MS = 30_000;

/**
 * Answers with a body that is made piece by piece. A piece is made when the one before it has been taken by the connection,
 * so that a slow reader costs one piece of memory, and none is made for a reader that has gone. When making one fails
 * after the first was sent, the connection is cut: half of an answer must not look like a whole one.
 */
export function sendPieces(reply: FastifyReply, pieces: AsyncIterable<string>, stalledMs: number = STALLED_MS): FastifyReply {
  // Who asks for the headers alone must not make us read everything.
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
