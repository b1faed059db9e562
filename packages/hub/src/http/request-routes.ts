import type { ServerResponse } from "node:http";
import { EarshotError } from "@earshot/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import Type from "typebox";
import { idParameters, naturalNumber, waitMs } from "../api-schema.ts";
import { APPROVAL_SCOPES } from "../policy/rule-writer.ts";
import { answerBody, digestBody, editBody, readAnswerBody, withdrawBody } from "../requests/answer.ts";
import {
  askerViewSchema,
  inspectionSchema,
  newsListSchema,
  rememberBody,
  requestListSchema,
  requestsQuery,
  requestViewSchema,
  ruleProposalSchema,
} from "../requests/api.ts";
import { waitForPermission } from "../requests/control-store.ts";
import { MAX_POLL_MS, type RequestEngine } from "../requests/engine.ts";
import type { RuleRemembering } from "../requests/rule-remembering.ts";
import { countPast, type RuleTrials } from "../trial/rule-trials.ts";
import { callerOf } from "./access.ts";
import { defineRoute } from "./validation.ts";

const ANSWER_BYTES = 256 * 1024;

export const waitQuery = Type.Object({ wait: waitMs(MAX_POLL_MS) });
const newsQuery = Type.Object({ after: naturalNumber({ default: 0 }), ...waitQuery.properties });
const ruleQuery = Type.Object({ scope: Type.Enum(APPROVAL_SCOPES) });
const answersRequest = { params: idParameters, response: { 200: requestViewSchema } };

interface RequestRouteOptions {
  readonly engine: RequestEngine;
  readonly remembering: RuleRemembering;
  readonly trials: RuleTrials;
}

/** Open requests, and answering them. */
export function registerRequests(app: FastifyInstance, options: RequestRouteOptions): void {
  registerReading(app, options);
  registerDeciding(app, options);
  registerAskers(app, options);
}

function registerReading(app: FastifyInstance, { engine, remembering, trials }: RequestRouteOptions): void {
  app.get(
    "/api/requests",
    defineRoute("viewer", "what waits, or waited, for an answer", { querystring: requestsQuery, response: { 200: requestListSchema } }),
    async ({ query }) => {
      if (query.after !== undefined && query.before !== undefined) throw invalidRequest("Either `after` or `before`.");
      const requests = await engine.list(query);
      const next = requests.length < query.limit ? null : (requests.at(-1)?.position ?? null);
      return { requests, next, open: engine.openCount };
    },
  );

  app.get(
    "/api/requests/news",
    defineRoute("viewer", "what happens to requests, as it happens", { querystring: newsQuery, response: { 200: newsListSchema } }),
    async ({ query: { after, wait } }, reply) => engine.news.wait(after, wait, abortedOnClose(reply)),
  );

  app.get(
    "/api/requests/:id",
    defineRoute("viewer", "one request; waits for its end", { ...answersRequest, querystring: waitQuery }),
    async ({ params, query }, reply) => engine.watch(params.id, query.wait, abortedOnClose(reply)),
  );

  app.post(
    "/api/requests/:id/inspect",
    defineRoute(
      "viewer",
      "what an input would do if it were changed; decides nothing",
      { params: idParameters, body: editBody, response: { 200: inspectionSchema } },
      { bodyLimit: ANSWER_BYTES },
    ),
    async ({ params, body }) => engine.inspect(params.id, body.edit),
  );

  app.get(
    "/api/requests/:id/rule",
    defineRoute("viewer", "the rule that would allow this kind from now on", {
      params: idParameters,
      querystring: ruleQuery,
      response: { 200: ruleProposalSchema },
    }),
    async ({ params, query }, reply) => {
      const proposal = await remembering.propose(params.id, query.scope);
      return { ...proposal, past: await countPast(proposal, trials, abortedOnClose(reply)) };
    },
  );
}

function registerDeciding(app: FastifyInstance, { engine, remembering }: RequestRouteOptions): void {
  app.post(
    "/api/requests/:id/answer",
    defineRoute("approver", "answers a request", { ...answersRequest, body: answerBody }, { bodyLimit: ANSWER_BYTES }),
    async (request) => {
      const { digest, keep = false, reason } = request.body;
      const answer = readAnswerBody(request.body);
      return engine.answer(request.params.id, { by: deciderNameOf(request, engine), digest, answer, keep, ...reasonGiven(reason) });
    },
  );

  app.post(
    "/api/requests/:id/remember",
    defineRoute("approver", "allows a request, and its kind from now on", { ...answersRequest, body: rememberBody }),
    async (request) => remembering.remember(request.params.id, { ...request.body, by: deciderNameOf(request, engine) }),
  );

  app.post(
    "/api/requests/:id/withdraw",
    defineRoute("approver", "takes a request back", { ...answersRequest, body: withdrawBody }),
    async (request) => engine.withdraw(request.params.id, { ...request.body, by: deciderNameOf(request, engine) }),
  );

  app.post(
    "/api/requests/:id/extend",
    defineRoute("approver", "gives a request more time", { ...answersRequest, body: digestBody }),
    async (request) => engine.extend(request.params.id, { digest: request.body.digest, by: deciderNameOf(request, engine) }),
  );
}

function registerAskers(app: FastifyInstance, { engine }: RequestRouteOptions): void {
  app.get(
    "/v1/answers/:id",
    defineRoute("producer", "the answer to what one has asked", {
      params: idParameters,
      querystring: waitQuery,
      response: { 200: askerViewSchema },
    }),
    async (request, reply) =>
      engine.askerView(await engine.poll(request.params.id, callerOf(request).name, request.query.wait, abortedOnClose(reply))),
  );

  const standing = Type.Object({ stopped: Type.Boolean(), reason: Type.Optional(Type.String()) });
  app.get(
    "/v1/sessions/:id/standing",
    defineRoute("producer", "whether one's own session was stopped; waits for it", {
      params: idParameters,
      querystring: waitQuery,
      response: { 200: standing },
    }),
    async (request, reply) => {
      const session = { source: callerOf(request).name, session: request.params.id };
      return waitForPermission(engine, session, { waitMs: request.query.wait, signal: abortedOnClose(reply) });
    },
  );
}

/** The decider's name from the credential, whatever the body says. Deciding also shows presence. */
export function deciderNameOf(request: FastifyRequest, engine: RequestEngine): string {
  engine.control.present();
  return callerOf(request).name;
}

export function reasonGiven(reason: string | undefined): { readonly reason?: string } {
  return reason === undefined ? {} : { reason };
}

/** Aborted when the caller closes the connection early. */
export function abortedOnClose({ raw }: { readonly raw: ServerResponse }): AbortSignal {
  const controller = new AbortController();
  raw.once("close", () => {
    // Aborting is not cheap and useless after an answer.
    if (!raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

export function invalidRequest(message: string): EarshotError {
  return new EarshotError({ code: "WRONG_QUERY", message });
}
