import type { FastifyInstance, FastifyReply } from "fastify";
import Type, { type Static } from "typebox";
import { listOf, naturalNumber, positiveInteger, protocolSchema } from "../api-schema.ts";
import { eraseOne, findErasable } from "../keeping/erase.ts";
import { type KeptStore, type PruneLimits, planPruning, pruneEntries } from "../keeping/prune.ts";
import { limitsOf, type Retention } from "../keeping/retention.ts";
import { sendPieces } from "./answer.ts";
import { invalidRequest } from "./request-routes.ts";
import { defineRoute } from "./validation.ts";

const maybe = Type.Optional;
const LINES = { type: "application/x-ndjson" };
const sessionId = maybe(Type.String({ minLength: 1, description: "the id of a session" }));
const limitsSchema = Type.Object({
  olderThanMs: maybe(naturalNumber()),
  keepBytes: maybe(naturalNumber()),
  session: sessionId,
});
const targetSchema = Type.Object({
  position: maybe(naturalNumber()),
  event: maybe(Type.String({ minLength: 1, description: "the id of an event" })),
  session: sessionId,
});
const erasableSchema = Type.Object({
  position: positiveInteger(),
  receivedAt: Type.Number(),
  protocol: protocolSchema,
  source: Type.String(),
  session: Type.String(),
  agent: Type.String(),
  type: Type.String(),
  sizeBytes: naturalNumber(),
});

/** Removal: viewers may see what would be removed, and only an admin can remove. `retention` applies if a request has no limit. */
export function registerKeeping(app: FastifyInstance, store: KeptStore & { readonly retention: Retention }): void {
  const limits = ({ olderThanMs, keepBytes, session }: Static<typeof limitsSchema>): PruneLimits => {
    if (olderThanMs === undefined && keepBytes === undefined && session === undefined) return limitsOf(store.retention, store.now());
    return {
      ...(olderThanMs === undefined ? {} : { receivedBefore: store.now() - olderThanMs }),
      ...(keepBytes === undefined ? {} : { keepBytes }),
      ...(session === undefined ? {} : { session }),
    };
  };
  app.get(
    "/api/prune",
    defineRoute("viewer", "what would be pruned", { querystring: limitsSchema }, { answers: LINES }),
    async ({ query }, reply) => sendLines(reply, planPruning(limits(query), store)),
  );
  app.post(
    "/api/prune",
    defineRoute("admin", "prunes, and tells how far it is", { body: limitsSchema }, { answers: LINES }),
    async ({ body }, reply) => sendLines(reply, pruneEntries(limits(body), store)),
  );
  app.get(
    "/api/erase",
    defineRoute("viewer", "the entries that an id or a position names", {
      querystring: targetSchema,
      response: { 200: Type.Object({ entries: listOf(erasableSchema) }) },
    }),
    async ({ query }) => ({ entries: await findErasable(oneTarget(query), store.ledger) }),
  );
  app.post(
    "/api/erase",
    defineRoute("admin", "erases the text of one entry", {
      body: targetSchema,
      response: { 200: Type.Object({ erased: erasableSchema }) },
    }),
    async ({ body }) => ({ erased: await eraseOne(oneTarget(body), store) }),
  );
}

const TELL_EVERY_MS = 200;

/** Steps come faster than anyone reads them; the last one is always sent. */
function sendLines(reply: FastifyReply, steps: AsyncIterable<object>): FastifyReply {
  async function* lines(): AsyncGenerator<string> {
    let toldAt = 0;
    for await (const step of steps) {
      if (!("result" in step) && performance.now() - toldAt < TELL_EVERY_MS) continue;
      toldAt = performance.now();
      yield `${JSON.stringify(step)}\n`;
    }
  }
  return sendPieces(reply.header("content-type", "application/x-ndjson; charset=utf-8"), lines());
}

function oneTarget(target: Static<typeof targetSchema>): Static<typeof targetSchema> {
  if ((target.position === undefined) === (target.event === undefined))
    throw invalidRequest("Either `position` or `event` names what is to be erased.");
  return target;
}
