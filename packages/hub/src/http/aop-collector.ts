import { EarshotError } from "@earshot/protocol";
import type { FastifyInstance } from "fastify";
import Type, { type TSchema } from "typebox";
import { idParameters, naturalNumber, orNull, positiveInteger } from "../api-schema.ts";
import type { Ledger, SessionCursor, SessionInfo } from "../ledger/ledger.ts";
import { type Encoding, liveSseFrame, removeLineBreaks, ssePosition } from "../live/frames.ts";
import type { LiveStreams } from "../live/live-streams.ts";
import type { Alert } from "../views/api.ts";
import type { CollectorSessionRow, ListCursor } from "../views/collector-rows.ts";
import type { OpenViews } from "../views/open-views.ts";
import { JSON_TYPE, sendPieces } from "./answer.ts";
import { exportPieces, listPieces, sessionPieces } from "./aop-session-pieces.ts";
import { findOneSession } from "./api.ts";
import { resumeAfter, SSE, streamEvents, streamQuery } from "./live-sse.ts";
import { defineRoute } from "./validation.ts";
import { catchUp } from "./views-routes.ts";

const MAX_LISTED_SESSIONS = 1000;
const LISTED_ALERTS = 20;
/** The longest session id in a path: 256 characters, three bytes each, percent-encoded. */
const MAX_PARAMETER_CHARACTERS = 2304;

const maybe = Type.Optional;
const cursor = (pattern: string) => maybe(Type.String({ pattern, description: "the `next` of another answer" }));
const source = maybe(Type.String({ description: "ids belong to sources" }));
const listQuery = Type.Object({
  order: Type.Enum(["started", "activity"], { default: "started" }),
  limit: positiveInteger({ maximum: MAX_LISTED_SESSIONS, default: 100 }),
  before: cursor("^-?\\d{1,16}(?:\\.\\d{1,16})?_\\d{1,16}$"),
});
const sessionQuery = Type.Object({ limit: maybe(positiveInteger()), after: cursor("^\\d{1,16}_\\d{1,16}$"), source });
const sourceQuery = Type.Object({ source });
const row = Type.Unsafe<CollectorSessionRow>({
  type: "object",
  description: "a session as the official collector describes it, with further members",
});
const event = Type.Unsafe<object>({ type: "object", description: "an AOP event" });
const next = orNull(Type.String(), { description: "names the next page; null when this was the last" });
const behind = maybe(naturalNumber({ description: "entries that are stored and not in the answer yet" }));
const listSchema = Type.Object({ sessions: Type.Array(row), next, behind });
const alerts = Type.Array(Type.Unsafe<object>({ type: "object", description: "an alert as the official collector describes it" }));
const sessionSchema = Type.Object({ session: row, events: Type.Array(event), alerts, next, sources: Type.Array(Type.String()), behind });
const reads = <Query extends object>(summary: string, querystring: Query, answers: { readonly type: string; readonly schema?: TSchema }) =>
  defineRoute("aop-reader", summary, { params: idParameters, querystring }, { answers });

/**
 * The session routes of the official AOP collector's API. Additions use members and parameters its clients ignore: paging, ordering by
 * activity, and `source`, because ids belong to sources.
 */
export function registerAopCollector(
  app: FastifyInstance,
  { ledger, views }: { readonly ledger: Ledger; readonly views: OpenViews },
): void {
  const longest = app.initialConfig.routerOptions?.maxParamLength ?? app.initialConfig.maxParamLength ?? 0;
  if (longest < MAX_PARAMETER_CHARACTERS) throw new Error(`The router must take parameters of ${MAX_PARAMETER_CHARACTERS} characters.`);

  const list = defineRoute(
    "aop-reader",
    "AOP sessions",
    { querystring: listQuery },
    { answers: { type: "application/json", schema: listSchema } },
  );
  app.get("/sessions", list, async ({ query: { before, ...query } }, reply) => {
    const behind = await catchUpViews(ledger, views);
    return sendPieces(reply.header("content-type", JSON_TYPE), listPieces(views.aop, { ...query, ...readListCursor(before) }, behind));
  });

  const one = reads("one AOP session with its events", sessionQuery, { type: "application/json", schema: sessionSchema });
  app.get("/sessions/:id", one, async ({ params: { id }, query }, reply) => {
    const { limit, after, source } = query;
    const behind = await catchUpViews(ledger, views);
    const rows = await views.aop.find(id);
    const session = await sessionOf(ledger, id, source);
    const row = rows.find((one) => one.source === session?.source);
    if (row === undefined && session !== undefined && behind > 0) throw notYet(id, behind);
    if (row === undefined || session === undefined) throw unknownSession(id);
    const document = {
      row,
      sources: rows.map((one) => one.source),
      alerts: (await views.aop.alerts(row, LISTED_ALERTS)).map((alert) => ({ id: alert.number, ...toAopAlert(alert) })),
      events: { session, ...(limit === undefined ? {} : { limit }), ...readEventCursor(after) },
      behind,
    };
    return sendPieces(reply.header("content-type", JSON_TYPE), sessionPieces(ledger, document));
  });

  const lines = reads("one AOP session as JSON lines", sourceQuery, { type: "application/x-ndjson" });
  app.get("/sessions/:id/export", lines, async ({ params: { id }, query }, reply) => {
    reply.header("content-type", "application/x-ndjson").header("content-disposition", attachmentOf(id));
    const session = await sessionOf(ledger, id, query.source);
    // Like the official collector: an unknown session is an empty file.
    return session === undefined ? reply.send("") : sendPieces(reply, exportPieces(ledger, session));
  });

  const removes = defineRoute("aop-remover", "removes an AOP session", {
    params: idParameters,
    querystring: sourceQuery,
    response: { 200: Type.Object({ ok: Type.Literal(true), removed: naturalNumber({ description: "events" }) }) },
  });
  app.delete("/sessions/:id", removes, async ({ params: { id }, query: { source } }) => {
    let removed = 0;
    // Its clients know no sources: for them the id must be gone afterwards.
    for (const session of await ledger.findSessions(id, "aop")) {
      if (source !== undefined && session.source !== source) continue;
      if ((await ledger.readSession({ session, limit: 1 })).entries.length === 0) continue; // removed before
      removed += await views.cut(session, "deleted");
    }
    return { ok: true, removed } as const;
  });
}

/** Returns how many entries the views are behind. */
async function catchUpViews(ledger: Ledger, views: OpenViews): Promise<number> {
  return Math.max(0, (await catchUp(ledger, views)) - views.position);
}

/** The session is stored, so the answer must not be that it is unknown. */
function notYet(id: string, behind: number): EarshotError {
  const message = `The session ${JSON.stringify(id.slice(0, 80))} is stored, and not in the views yet, which are ${behind} entries behind.`;
  return new EarshotError({ code: "VIEWS_UNAVAILABLE", message, hint: "Ask again in a moment." });
}

/** Undefined for an unknown id. */
async function sessionOf(ledger: Ledger, id: string, source: string | undefined): Promise<SessionInfo | undefined> {
  try {
    return await findOneSession(ledger, { id, protocol: "aop", source });
  } catch (error) {
    if (EarshotError.is(error) && error.problem.code === "NOT_FOUND") return undefined;
    throw error;
  }
}

/** A list cursor: a sort value and a session key, as `value_key`. */
function readListCursor(text: string | undefined): { readonly before?: ListCursor } {
  const [value, key] = text?.split("_").map(Number) ?? [];
  return value === undefined || key === undefined ? {} : { before: { value, key } };
}

function readEventCursor(text: string | undefined): { readonly after?: SessionCursor } {
  const [ordinal, position] = text?.split("_").map(Number) ?? [];
  return ordinal === undefined || position === undefined ? {} : { after: { ordinal, position } };
}

function unknownSession(id: string): EarshotError {
  return new EarshotError({ code: "NOT_FOUND", message: `No session ${JSON.stringify(id.slice(0, 80))} was heard.` });
}

/**
 * The `Content-Disposition` of a session export. Ids may contain anything: quotes would end the value, line breaks forge headers, slashes
 * name other folders. A plain id becomes the file name, as in the official collector; others get a safe name, and the real one encoded
 * (RFC 6266, RFC 8187).
 */
function attachmentOf(sessionId: string): string {
  const safe = sessionId.replaceAll(/[^A-Za-z0-9_.-]/g, "_");
  const plain = `attachment; filename="session-${safe}.jsonl"`;
  if (safe === sessionId) return plain;
  // Excluded even when encoded, because clients may decode it and use it as a path.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
  const name = sessionId.toWellFormed().replaceAll(/[\u0000-\u001f\u007f/\\]/g, "_");
  return `${plain}; filename*=UTF-8''session-${encodeExtended(name)}.jsonl`;
}

function encodeExtended(text: string): string {
  return encodeURIComponent(text).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** An alert in the official collector's format. */
export interface AopAlert {
  readonly session_id: string;
  readonly type: Alert["type"];
  readonly message: string;
  readonly severity: Alert["severity"];
  /** ISO time with zone, by the hub's clock. */
  readonly created_at: string;
}

export function toAopAlert({ sessionId, type, message, severity, at }: Alert): AopAlert {
  return { session_id: sessionId, type, message, severity, created_at: new Date(at).toISOString() };
}

/** An alert about a session, and the entry that caused it. */
export interface RaisedAlert {
  readonly position: number;
  readonly alert: { readonly session_id: string };
}

/**
 * The official collector's `GET /stream`. Additions that its clients ignore: ids, so that a reconnecting browser misses nothing, and
 * `?session=`. An alert follows the event that caused it and is not repeated. `onAlert` returns the function that stops it; `now`: Unix
 * milliseconds.
 */
export function registerAopStream(
  app: FastifyInstance,
  live: LiveStreams,
  { now, onAlert }: { readonly now: () => number; readonly onAlert: (listener: (raised: RaisedAlert) => void) => () => void },
): void {
  const encoding = createAopEncoding(now);
  app.get(
    "/stream",
    { exposeHeadRoute: false, ...defineRoute("aop-reader", "AOP events live (SSE)", { querystring: streamQuery }, { answers: SSE }) },
    async ({ query: { after: from, ...filter }, headers }, reply) => {
      const after = resumeAfter(from, headers);
      const wanted = { ...filter, protocol: ["aop"], kind: "event" } as const;
      const stream = await streamEvents(live, { after, filter: wanted, encoding }, reply);
      if (stream.hasLeft) return;
      const stop = onAlert(({ position, alert }) => {
        if (filter.session !== undefined && filter.session !== alert.session_id) return;
        stream.aside(Buffer.from(`data: ${JSON.stringify({ kind: "alert", data: alert })}\n\n`), position);
      });
      reply.raw.on("close", stop);
    },
  );
}

function createAopEncoding(now: () => number): Encoding {
  return {
    name: "aop",
    encode: (frames) =>
      Buffer.from(
        frames.map(({ entry }) => liveSseFrame(entry.position, `{"kind":"event","data":${removeLineBreaks(entry.text)}}`)).join(""),
      ),
    hello: (position) =>
      Buffer.from(liveSseFrame(position, JSON.stringify({ type: "connected", timestamp: new Date(now()).toISOString() }))),
    heartbeat: (position) => ssePosition(position, "ping"),
    // Its clients only know three kinds of messages, so the farewell is a comment, and the id is the resume point.
    farewell: ({ why, resumeAfter }) => ssePosition(resumeAfter, `closed (${why}), resume after ${resumeAfter}`),
  };
}
