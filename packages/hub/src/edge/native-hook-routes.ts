import { readBytes } from "@earshot/aaep/node";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { callerOf } from "./access.ts";
import { sendAnswer } from "./answer.ts";
import { answerHook, type HookCallPorts } from "./answer-hook.ts";
import { provesAnswer } from "./proven-answers.ts";
import { closing, queryOf } from "./request-routes.ts";

/** An agent that writes a file hands over the whole of it. */
export const PAYLOAD_BYTES = 16 * 1024 * 1024;

type ToAgent = FastifyRequest<{ Params: { agent: string } }>;

/**
 * `POST /hooks/AGENT?hook=NAME`: what a coding agent gives its hook, as it is; the answer as that agent reads it. `as=lines` is
 * for our own shim, which comes again while it waits. Without it the answer is the body alone, with the exit code in a header:
 * for agents whose hooks are addresses. Such hooks let everything pass when they fail, so that they are for watching.
 *
 * Most of these go by the short way instead, and hear the same.
 */
export function registerNativeHooks(app: FastifyInstance, ports: HookCallPorts): void {
  app.post(
    "/hooks/:agent",
    { config: { access: "producer", summary: "what a coding agent's hook was given, and the answer it reads" } },
    async (request: ToAgent, reply) => {
      const { name } = callerOf(request);
      const { headers } = request.raw;
      const size = Number(headers["content-length"] ?? Number.NaN);
      const readBody = (longestBytes: number) => readBytes(request.raw, longestBytes);
      const call = { headers, size, readBody, gone: closing(reply), agent: request.params.agent, query: queryOf(request), name };
      const { answer, told } = await answerHook(call, ports);
      provesAnswer(request, told);
      return sendAnswer(reply, answer);
    },
  );
}
