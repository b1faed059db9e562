import type { ServerResponse } from "node:http";
import { REQUEST_STATES } from "@earshot/judge";
import { EarshotError, type JsonObject } from "@earshot/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { SCOPES, type Scope } from "../policy/rule-writer.ts";
import type { RequestQuery, RequestState } from "../request.ts";
import { readAnswer, readEdit, readText } from "../requests/answer.ts";
import type { NewsList, RequestList } from "../requests/api.ts";
import { type Engine, LONGEST_POLL_MS } from "../requests/engine.ts";
import type { RememberDesk } from "../requests/remember-desk.ts";
import { standingOf } from "../requests/standing.ts";
import { countPast } from "../trial/count-past.ts";
import type { StudyDesk } from "../trial/study-desk.ts";
import { callerOf } from "./access.ts";
import { readJsonBody } from "./json-body.ts";

export interface RequestRoutePorts {
  readonly engine: Engine;
  readonly remembering: RememberDesk;
  readonly study: StudyDesk;
}

type ById = FastifyRequest<{ Params: { id: string } }>;

const PAGE = 50;
const LARGEST_PAGE = 200;
const ANSWER_BYTES = 256 * 1024;

/** What waits for an answer, and answering it: see requests/api.ts. */
export function registerRequests(app: FastifyInstance, { engine, remembering, study }: RequestRoutePorts): void {
  app.get("/api/requests", { config: { access: "viewer", summary: "what waits, or waited, for an answer" } }, async (request) => {
    const query = readQuery(request);
    const requests = await engine.list(query);
    const next = requests.length < query.limit ? null : (requests.at(-1)?.position ?? null);
    return { requests, next, open: engine.openCount } satisfies RequestList;
  });

  app.get(
    "/api/requests/news",
    { config: { access: "viewer", summary: "what happens to requests, as it happens" } },
    async (request, reply) => {
      const after = readNumber(request, "after", 0, Number.MAX_SAFE_INTEGER);
      const told: NewsList = await engine.news.wait(after, waitOf(request), closing(reply));
      return told;
    },
  );

  app.get("/api/requests/:id", { config: { access: "viewer", summary: "one request; waits for its end" } }, async (request: ById, reply) =>
    engine.watch(request.params.id, waitOf(request), closing(reply)),
  );

  app.post("/api/requests/:id/answer", { config: { access: "approver", summary: "answers a request" } }, async (request: ById) => {
    const body = await readJsonBody(request, ANSWER_BYTES);
    const { keep = false } = body;
    if (typeof keep !== "boolean") throw wrong("`keep` is true or false.");
    const given = { by: byOf(request, engine), digest: digestOf(body), answer: readAnswer(body), keep, ...reasonOf(body) };
    return engine.answer(request.params.id, given);
  });

  app.post(
    "/api/requests/:id/inspect",
    { config: { access: "viewer", summary: "what an input would do if it were changed; decides nothing" } },
    async (request: ById) => {
      const { edit } = await readJsonBody(request, ANSWER_BYTES);
      return engine.inspect(request.params.id, readEdit(edit));
    },
  );

  app.get(
    "/api/requests/:id/rule",
    { config: { access: "viewer", summary: "the rule that would allow this kind from now on" } },
    async (request: ById, reply) => {
      const proposal = await remembering.propose(request.params.id, scopeOf(queryOf(request)["scope"]));
      return { ...proposal, past: await countPast(proposal, study, closing(reply)) };
    },
  );

  app.post(
    "/api/requests/:id/remember",
    { config: { access: "approver", summary: "allows a request, and its kind from now on" } },
    async (request: ById) => {
      const body = await readJsonBody(request);
      const { hash, scope } = body;
      if (typeof hash !== "string" || hash === "") throw wrong("`hash` is missing: that of the rule as it was shown.");
      const given = { by: byOf(request, engine), digest: digestOf(body), scope: scopeOf(scope), hash, ...reasonOf(body) };
      return remembering.remember(request.params.id, given);
    },
  );

  app.post("/api/requests/:id/withdraw", { config: { access: "approver", summary: "takes a request back" } }, async (request: ById) => {
    const body = await readJsonBody(request);
    return engine.withdraw(request.params.id, { by: byOf(request, engine), digest: digestOf(body), ...reasonOf(body) });
  });

  app.post("/api/requests/:id/extend", { config: { access: "approver", summary: "gives a request more time" } }, async (request: ById) => {
    const body = await readJsonBody(request);
    return engine.extend(request.params.id, { by: byOf(request, engine), digest: digestOf(body) });
  });

  app.get(
    "/v1/answers/:id",
    { config: { access: "producer", summary: "the answer to what one has asked" } },
    async (request: ById, reply) =>
      engine.askerView(await engine.poll(request.params.id, callerOf(request).name, waitOf(request), closing(reply))),
  );
}

/** Who decides: the credential's own name, whatever the body says. And whoever decides is there. */
export function byOf(request: FastifyRequest, engine: Engine): string {
  engine.control.present();
  return callerOf(request).name;
}

export function reasonOf(body: JsonObject): { readonly reason?: string } {
  return body["reason"] === undefined ? {} : { reason: readText(body["reason"], "reason") };
}

/** How long a call may be held. */
export function waitOf(request: FastifyRequest): number {
  return readNumber(request, "wait", 0, LONGEST_POLL_MS);
}

/** Says that whoever asked has gone. */
export function closing({ raw }: { readonly raw: ServerResponse }): AbortSignal {
  const controller = new AbortController();
  raw.once("close", () => {
    // After an answer nobody listens for this, and to say it is not cheap.
    if (!raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

function digestOf(body: JsonObject): string {
  const { digest } = body;
  if (typeof digest === "string" && digest !== "") return digest;
  throw wrong("`digest` is missing: that of the request as it was shown.");
}

function scopeOf(value: unknown): Scope {
  const scope = SCOPES.find((one) => one === value);
  if (scope === undefined) throw wrong(`\`scope\` is one of ${SCOPES.join(", ")}.`);
  return scope;
}

function readQuery(request: FastifyRequest): RequestQuery {
  const { state, session, after, before } = queryOf(request);
  if (state !== undefined && !REQUEST_STATES.some((one) => one === state)) throw wrong(`\`state\` is one of ${REQUEST_STATES.join(", ")}.`);
  if (session !== undefined && (typeof session !== "string" || session === "")) throw wrong("`session` is the id of a session.");
  if (after !== undefined && before !== undefined) throw wrong("Either `after` or `before`.");
  return {
    limit: readNumber(request, "limit", PAGE, LARGEST_PAGE),
    ...(state === undefined ? {} : { state: state as RequestState }),
    ...(session === undefined ? {} : { session: session as string }),
    ...(after === undefined ? {} : { after: readNumber(request, "after", 0, Number.MAX_SAFE_INTEGER) }),
    ...(before === undefined ? {} : { before: readNumber(request, "before", 0, Number.MAX_SAFE_INTEGER) }),
  };
}

export function readNumber(request: FastifyRequest, name: string, fallback: number, most: number): number {
  return numberIn(queryOf(request), name, fallback, most);
}

export function numberIn(query: Readonly<Record<string, unknown>>, name: string, fallback: number, most: number): number {
  const text = query[name];
  if (text === undefined) return fallback;
  const number = typeof text === "string" && /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw wrong(`\`${name}\` is a whole number.`);
  return Math.min(number, most);
}

export function queryOf(request: FastifyRequest): Readonly<Record<string, unknown>> {
  return request.query as Readonly<Record<string, unknown>>;
}

export function wrong(message: string): EarshotError {
  return new EarshotError({ code: "WRONG_QUERY", message });
}

/** `GET /v1/sessions/:id/standing`: whether a producer's own session was stopped. With `wait`, when it is, or after that time. */
export function registerStanding(app: FastifyInstance, { engine }: { readonly engine: Pick<Engine, "control" | "news"> }): void {
  app.get(
    "/v1/sessions/:id/standing",
    { config: { access: "producer", summary: "whether one's own session was stopped; waits for it" } },
    async (request: ById, reply) => {
      const session = { source: callerOf(request).name, session: request.params.id };
      return standingOf(engine, session, { waitMs: waitOf(request), signal: closing(reply) });
    },
  );
}
