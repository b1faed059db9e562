import { EarshotError } from "@earshot/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Ledger, SessionCursor, SessionInfo } from "../ledger/ledger.ts";
import type { AopSessionsQuery, ListCursor } from "../views/collector-rows.ts";
import type { OpenViews } from "../views/open-views.ts";
import type { Alert } from "../views/views.ts";
import { exportPieces, listPieces, sessionPieces } from "./aop-session-pieces.ts";
import { findOneSession } from "./one-session.ts";
import { sendPieces } from "./pieces.ts";

export interface AopCollectorPorts {
  readonly ledger: Ledger;
  readonly views: OpenViews;
}

type SessionRequest = FastifyRequest<{ Params: { id: string } }>;

const LISTED = 100;
const MOST_LISTED = 1000;
const ALERTS = 20;
/** Longest address of a session: 256 characters, three bytes each, percent-encoded. */
const LONGEST_PARAMETER = 2304;
/** How long a reader waits for what was acknowledged before it asked; after that it gets what is there. */
const CAUGHT_UP_MS = 2000;

const JSON_TYPE = "application/json; charset=utf-8";
const reads = (summary: string) => ({ config: { access: "aop-reader", summary } }) as const;

/**
 * The sessions of the official AOP collector's API, for its clients, with only the address changed. What we add stands in
 * members and parameters that they do not know: paging, the order of activity, and `source`, since ids belong to sources.
 */
export function registerAopCollector(app: FastifyInstance, { ledger, views }: AopCollectorPorts): void {
  const longest = app.initialConfig.routerOptions?.maxParamLength ?? app.initialConfig.maxParamLength ?? 0;
  if (longest < LONGEST_PARAMETER) throw new Error(`The router must take parameters of ${LONGEST_PARAMETER} characters.`);

  app.get("/sessions", reads("AOP sessions"), async (request, reply) => {
    const query = readSessionsQuery(request);
    const behind = await catchUp(ledger, views);
    return sendPieces(reply.header("content-type", JSON_TYPE), listPieces(views.aop, query, behind));
  });

  app.get("/sessions/:id", reads("one AOP session with its events"), async (request: SessionRequest, reply) => {
    const { id } = request.params;
    const { limit, after } = readEventsQuery(request);
    const behind = await catchUp(ledger, views);
    const rows = await views.aop.find(id);
    const session = await sessionOf(ledger, id, readText(request, "source"));
    const row = rows.find((one) => one.source === session?.source);
    if (row === undefined && session !== undefined && behind > 0) throw notYet(id, behind);
    if (row === undefined || session === undefined) throw unknownSession(id);
    const document = {
      row,
      sources: rows.map((one) => one.source),
      alerts: (await views.aop.alerts(row, ALERTS)).map((alert) => ({ id: alert.number, ...toAopAlert(alert) })),
      events: { session, ...(limit === undefined ? {} : { limit }), ...(after === undefined ? {} : { after }) },
      behind,
    };
    return sendPieces(reply.header("content-type", JSON_TYPE), sessionPieces(ledger, document));
  });

  app.get("/sessions/:id/export", reads("one AOP session as JSON lines"), async (request: SessionRequest, reply) => {
    const { id } = request.params;
    reply.header("content-type", "application/x-ndjson").header("content-disposition", attachmentOf(id));
    const session = await sessionOf(ledger, id, readText(request, "source"));
    // As the official one: an unknown session is an empty file.
    return session === undefined ? reply.send("") : sendPieces(reply, exportPieces(ledger, session));
  });

  const removes = { config: { access: "aop-remover", summary: "removes an AOP session" } } as const;
  app.delete("/sessions/:id", removes, async (request: SessionRequest) => {
    const source = readText(request, "source");
    let removed = 0;
    // Its clients know no sources: for them the id is gone afterwards.
    for (const session of await ledger.findSessions(request.params.id, "aop")) {
      if (source !== undefined && session.source !== source) continue;
      if ((await ledger.readSession({ session, limit: 1 })).entries.length === 0) continue; // removed before
      removed += await views.cut(session, "deleted");
    }
    return { ok: true, removed };
  });
}

/** Waits until the views show what was acknowledged before now; says how far they are behind when that takes too long. */
async function catchUp(ledger: Ledger, views: OpenViews): Promise<number> {
  const head = await ledger.head();
  try {
    await views.caughtUp(head, AbortSignal.timeout(CAUGHT_UP_MS));
  } catch {
    // What is there is shown, and by how much it is behind.
  }
  return Math.max(0, head - views.position);
}

/** It is stored, and nobody may be told that it is not there. */
function notYet(id: string, behind: number): EarshotError {
  const message = `The session ${JSON.stringify(id.slice(0, 80))} is stored, and not in the views yet, which are ${behind} entries behind.`;
  return new EarshotError({ code: "VIEWS_UNAVAILABLE", message, hint: "Ask again in a moment." });
}

/** Undefined for an id that nobody used. */
async function sessionOf(ledger: Ledger, id: string, source: string | undefined): Promise<SessionInfo | undefined> {
  try {
    return await findOneSession(ledger, { id, protocol: "aop", source });
  } catch (error) {
    if (EarshotError.is(error) && error.problem.code === "NOT_FOUND") return undefined;
    throw error;
  }
}

function readSessionsQuery(request: FastifyRequest): AopSessionsQuery {
  const order = readText(request, "order") ?? "started";
  if (order !== "started" && order !== "activity") throw wrong("`order` is started or activity.");
  const before = readListCursor(readText(request, "before"));
  const limit = readCount(request, "limit", MOST_LISTED) ?? LISTED;
  return { order, limit, ...(before === undefined ? {} : { before }) };
}

function readEventsQuery(request: FastifyRequest): { readonly limit: number | undefined; readonly after: SessionCursor | undefined } {
  const text = readText(request, "after");
  const match = text === undefined ? undefined : /^(\d{1,16})_(\d{1,16})$/.exec(text);
  if (match === null) throw wrong("`after` is the `next` of another answer.");
  const after = match === undefined ? undefined : { ordinal: Number(match[1]), position: Number(match[2]) };
  return { limit: readCount(request, "limit", Number.MAX_SAFE_INTEGER), after };
}

function readListCursor(text: string | undefined): ListCursor | undefined {
  if (text === undefined) return undefined;
  const match = /^(-?\d{1,16}(?:\.\d{1,16})?)_(\d{1,16})$/.exec(text);
  if (match === null) throw wrong("`before` is the `next` of another answer.");
  return { value: Number(match[1]), key: Number(match[2]) };
}

function readCount(request: FastifyRequest, name: string, most: number): number | undefined {
  const text = readText(request, name);
  if (text === undefined) return undefined;
  const number = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (number < 1) throw wrong(`\`${name}\` is a whole number from 1 on.`);
  return Math.min(number, most);
}

function readText(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Readonly<Record<string, unknown>>)[name];
  if (value === undefined || typeof value === "string") return value;
  throw wrong(`\`${name}\` was given more than once.`);
}

function wrong(message: string): EarshotError {
  return new EarshotError({ code: "WRONG_QUERY", message });
}

function unknownSession(id: string): EarshotError {
  return new EarshotError({ code: "NOT_FOUND", message: `No session ${JSON.stringify(id.slice(0, 80))} was heard.` });
}

/**
 * The `Content-Disposition` of a session's export. Ids may hold anything: quotes would end the header's value, line breaks
 * forge headers, slashes name other folders. Plain ids get the plain name alone, as the official collector gives it;
 * others a safe one for old clients, and the true one encoded (RFC 6266, RFC 8187).
 */
function attachmentOf(sessionId: string): string {
  const safe = sessionId.replaceAll(/[^A-Za-z0-9_.-]/g, "_");
  const plain = `attachment; filename="session-${safe}.jsonl"`;
  if (safe === sessionId) return plain;
  // Not even encoded: whoever decodes it may use it as a path.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
  const name = sessionId.toWellFormed().replaceAll(/[\u0000-\u001f\u007f/\\]/g, "_");
  return `${plain}; filename*=UTF-8''session-${encodeExtended(name)}.jsonl`;
}

function encodeExtended(text: string): string {
  return encodeURIComponent(text).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** An alert as the official collector tells it: names and types are its own. */
export interface AopAlert {
  readonly session_id: string;
  readonly type: Alert["type"];
  readonly message: string;
  readonly severity: Alert["severity"];
  /** ISO, with its zone; by the hub's clock. */
  readonly created_at: string;
}

export function toAopAlert({ sessionId, type, message, severity, at }: Alert): AopAlert {
  return { session_id: sessionId, type, message, severity, created_at: new Date(at).toISOString() };
}
