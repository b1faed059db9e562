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
