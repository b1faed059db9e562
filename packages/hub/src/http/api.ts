import { Readable } from "node:stream";
import { EarshotError, type ProtocolName } from "@earshot/protocol";
import type { FastifyInstance } from "fastify";
import Type, { type Static } from "typebox";
import { idParameters, isoTime, listOf, naturalNumber, orNull, positiveInteger, problemSchema, protocolSchema } from "../api-schema.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Ledger, SessionCursor, SessionInfo } from "../ledger/ledger.ts";
import { removeLineBreaks, toLiveJson } from "../live/frames.ts";
import { METRICS_TYPE, type Metric, writeMetrics } from "../metrics/metrics.ts";
import { defineRoute } from "./validation.ts";

const PAGE = 100;
const countsSchema = listOf(Type.Object({ what: Type.String(), source: Type.String(), howMany: Type.Integer(), lastAt: Type.Number() }), {
  description: "what happened so often, by kind and source",
});
const statusSchema = Type.Object({
  version: Type.String(),
  startedAt: isoTime(),
  waitingBytes: naturalNumber({ description: "bytes of events that wait for the disk" }),
  sleptUntil: orNull(Type.Number(), { description: "when the machine last woke up, in milliseconds since 1970" }),
  configuration: Type.Optional(Type.Unsafe<object>({ type: "object", description: "the settings in force, and where each comes from" })),
  head: naturalNumber({ description: "the newest position" }),
  counts: countsSchema,
});
export type StatusView = Static<typeof statusSchema>;
const refusedQuery = Type.Object({
  limit: positiveInteger({ maximum: 1000, default: 100 }),
  before: positiveInteger({ default: Number.MAX_SAFE_INTEGER, description: "the `next` of another answer" }),
});
const refusedSchema = Type.Object({
  refused: listOf(
    Type.Object({
      number: Type.Integer(),
      receivedAt: Type.Number({ description: "in milliseconds since 1970" }),
      source: Type.String(),
      problem: problemSchema,
      text: Type.String({ description: "its beginning, with secrets masked" }),
      sizeBytes: naturalNumber(),
    }),
  ),
  counts: countsSchema,
  next: orNull(Type.Integer(), { description: "`before` of the next page; null when this was the last" }),
});
export type RefusedList = Static<typeof refusedSchema>;
const entrySchema = Type.Object({
  position: positiveInteger(),
  receivedAt: isoTime(),
  protocol: protocolSchema,
  source: Type.String(),
  verified: Type.Boolean(),
  session: Type.String(),
  kind: Type.Enum(["event", "message", "decision", "late-decision"]),
  type: Type.String(),
  agent: Type.String(),
  sequence: Type.Optional(Type.Integer()),
  flags: Type.Optional(Type.Array(problemSchema)),
  redactions: Type.Optional(Type.Array(Type.Object({ pointer: Type.String(), shape: Type.String(), length: Type.Integer() }))),
  event: Type.Unsafe<object>({ type: "object", description: "as it was sent, with secrets masked" }),
});
/** Selects a session where the id alone is ambiguous. */
export const sourceQuery = Type.Object({
  protocol: Type.Optional(protocolSchema),
  source: Type.Optional(Type.String()),
});
export const sessionRequest = { params: idParameters, querystring: sourceQuery };

const exportQuery = Type.Object({ session: Type.String({ description: "the id of a session" }), ...sourceQuery.properties });
const verifyQuery = Type.Object({ session: Type.Optional(exportQuery.properties.session), ...sourceQuery.properties });

const entryParameters = Type.Object({ position: positiveInteger() });
const LINES = { type: "application/x-ndjson" };

const hubsSchema = Type.Object({
  hubs: listOf(
    Type.Object({
      url: Type.String(),
      version: Type.String(),
      startedAt: Type.Number(),
      seenAgoMs: Type.Number(),
      isAlive: Type.Boolean(),
      lag: Type.Number({ description: "how many positions its views are behind the ledger" }),
      fence: orNull(Type.Number(), { description: "number of the lease that it holds: it applies deadlines and retention" }),
    }),
    { description: "the hubs on one database; none where the ledger is a file" },
  ),
});
export type HubsView = Static<typeof hubsSchema>;

interface ApiOptions {
  readonly ledger: Ledger;
  readonly cluster: Pick<Cluster, "members">;
  readonly status: () => Omit<StatusView, "head" | "counts">;
  readonly verify: (session: SessionInfo | undefined) => AsyncIterable<object>;
}

/** Status, exports and single entries. */
export function registerApi(app: FastifyInstance, { ledger, cluster, status, verify }: ApiOptions): void {
  app.get("/api/hubs", defineRoute("viewer", "the hubs on the same database", { response: { 200: hubsSchema } }), async () => ({
    hubs: await cluster.members(),
  }));

  app.get("/api/status", defineRoute("viewer", "position and counts", { response: { 200: statusSchema } }), async () => ({
    ...status(),
    head: await ledger.head(),
    counts: await ledger.counts(),
  }));

  app.get(
    "/api/refused",
    defineRoute("viewer", "what was refused, and why", { querystring: refusedQuery, response: { 200: refusedSchema } }),
    async ({ query }) => {
      const refused = await ledger.refused(query);
      return { refused, counts: await ledger.counts(), next: refused.length < query.limit ? null : (refused.at(-1)?.number ?? null) };
    },
  );

  app.get(
    "/api/export",
    defineRoute("viewer", "one session as JSON lines", { querystring: exportQuery }, { answers: LINES }),
    async ({ query: { session: id, ...source } }, reply) => {
      const session = await findOneSession(ledger, { id, ...source });
      return reply.header("content-type", "application/x-ndjson; charset=utf-8").send(Readable.from(exportLines(ledger, session)));
    },
  );

  app.get(
    "/api/entries/:position",
    defineRoute(
      "viewer",
      "one entry, as it was said",
      { params: entryParameters },
      { answers: { type: "application/json", schema: entrySchema } },
    ),
    async ({ params: { position } }, reply) => {
      const [entry] = (await ledger.read({ after: position - 1, limit: 1 })).entries;
      if (entry?.position !== position) {
        throw new EarshotError({ code: "NOT_FOUND", message: `Entry ${position} does not exist or was removed.` });
      }
      return reply.header("content-type", "application/json; charset=utf-8").send(toLiveJson(entry));
    },
  );

  app.get(
    "/api/verify",
    defineRoute("viewer", "checks the ledger", { querystring: verifyQuery }, { answers: LINES }),
    async ({ query: { session: id, ...source } }, reply) => {
      const session = id === undefined ? undefined : await findOneSession(ledger, { id, ...source });
      return reply.header("content-type", "application/x-ndjson; charset=utf-8").send(Readable.from(toLines(verify(session))));
    },
  );
}

/** The original events of a session, one per line, page by page. */
export async function* exportLines(ledger: Ledger, session: SessionInfo): AsyncGenerator<string> {
  let after: SessionCursor | undefined;
  do {
    const page = await ledger.readSession({ session, limit: PAGE, ...(after === undefined ? {} : { after }) });
    const said = page.entries.filter(({ kind }) => kind === "event" || kind === "message");
    if (said.length > 0) yield `${said.map(({ text }) => removeLineBreaks(text)).join("\n")}\n`;
    after = page.next;
    await new Promise((resolve) => setImmediate(resolve)); // others have their turn between two pages
  } while (after !== undefined);
}

async function* toLines(values: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const value of values) yield `${JSON.stringify(value)}\n`;
}

/** Measurements for Prometheus. They reveal activity, so a viewer's credential is required. */
export function registerMetrics(app: FastifyInstance, measure: () => Promise<readonly Metric[]>): void {
  const options = defineRoute("viewer", "measurements, for Prometheus", {}, { answers: { type: "text/plain" } });
  app.get("/metrics", options, async (_request, reply) => reply.header("content-type", METRICS_TYPE).send(writeMetrics(await measure())));
}

export interface SessionSelection {
  readonly id: string;
  readonly protocol?: ProtocolName | undefined;
  readonly source?: string | undefined;
}

/**
 * The selected session. Ids belong to a source, and anyone may post events under an id that another source uses: if several sources have
 * it, the caller must choose.
 */
export async function findOneSession(ledger: Ledger, { id, protocol, source }: SessionSelection): Promise<SessionInfo> {
  const found = (await ledger.findSessions(id)).filter(
    (session) => (protocol === undefined || session.protocol === protocol) && (source === undefined || session.source === source),
  );
  const [session, other] = found;
  if (session === undefined) {
    throw new EarshotError({ code: "NOT_FOUND", message: `No session ${JSON.stringify(id.slice(0, 80))} was heard.` });
  }
  if (other !== undefined) {
    const names = found.slice(0, MAX_NAMED_SOURCES).map((one) => `${one.source} (${one.protocol})`);
    const message = `Several sources have a session ${JSON.stringify(id.slice(0, 80))}: ${names.join(", ")}.`;
    throw new EarshotError({ code: "WRONG_QUERY", message, hint: "Say which by `protocol` and `source`." });
  }
  return session;
}

const MAX_NAMED_SOURCES = 8;
