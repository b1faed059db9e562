import { EarshotError, PROBLEMS, type Problem } from "@earshot/protocol";
import type { FastifyReply } from "fastify";

/** Seconds after which a sender may try again. */
const RETRY_AFTER_S = 1;

/** A problem as every client sees it; `error` is what clients of an AOP collector look for. */
export function answerProblem(reply: FastifyReply, problem: Problem, more: Readonly<Record<string, unknown>> = {}): FastifyReply {
  const { status, retryable, help } = PROBLEMS[problem.code];
  if (retryable && (status === 503 || status === 507)) reply.header("retry-after", String(RETRY_AFTER_S));
  return reply
    .code(status)
    .header("content-type", "application/json; charset=utf-8")
    .send(JSON.stringify({ error: problem.message, ...problem, hint: problem.hint ?? help, ...more }));
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
