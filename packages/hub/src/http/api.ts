import { Readable } from "node:stream";
import { EarshotError } from "@earshot/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Ledger, SessionCursor, SessionInfo } from "../ledger/ledger.ts";
import { inOneLine, toJson } from "../live/frames.ts";
import { METRICS_TYPE, type Metric, writeMetrics } from "../metrics/metrics.ts";
import { findOneSession } from "./one-session.ts";

export interface ApiPorts {
  readonly ledger: Ledger;
  readonly status: () => Readonly<Record<string, unknown>>;
  readonly verify: (session: SessionInfo | undefined) => AsyncIterable<object>;
}

const MOST_REFUSED = 1000;
const PAGE = 100;

/** What the hub tells about itself and gives out whole. */
export function registerApi(app: FastifyInstance, { ledger, status, verify }: ApiPorts): void {
  app.get("/api/status", { config: { access: "viewer", summary: "position and counts" } }, async () => ({
    ...status(),
    head: await ledger.head(),
    counts: await ledger.counts(),
  }));

  app.get("/api/refused", { config: { access: "viewer", summary: "what was refused, and why" } }, async (request) => {
    const limit = wholeNumber(request, "limit", 100, MOST_REFUSED);
    const before = wholeNumber(request, "before", Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
    const refused = await ledger.refused({ before, limit });
    return { refused, counts: await ledger.counts(), next: refused.length < limit ? null : (refused.at(-1)?.number ?? null) };
  });

  app.get("/api/export", { config: { access: "viewer", summary: "one session as JSON lines" } }, async (request, reply) => {
    const session = await theSession(ledger, request);
    return reply.header("content-type", "application/x-ndjson; charset=utf-8").send(Readable.from(exportLines(ledger, session)));
  });

  app.get("/api/entries/:position", { config: { access: "viewer", summary: "one entry, as it was said" } }, async (request, reply) => {
    const { position } = request.params as { readonly position: string };
    const at = /^\d{1,15}$/.test(position) ? Number(position) : 0;
    if (at < 1) throw wrong("The position of an entry is a whole number from 1 on.");
    const [entry] = (await ledger.read({ after: at - 1, limit: 1 })).entries;
    if (entry?.position !== at) {
      throw new EarshotError({ code: "NOT_FOUND", message: `There is no entry ${at}: nothing was said there, or it was removed.` });
    }
    return reply.header("content-type", "application/json; charset=utf-8").send(toJson(entry));
  });

  app.get("/api/verify", { config: { access: "viewer", summary: "checks the ledger" } }, async (request, reply) => {
    const asked = queryOf(request)["session"];
    const session = asked === undefined ? undefined : await theSession(ledger, request);
    return reply.header("content-type", "application/x-ndjson; charset=utf-8").send(Readable.from(toLines(verify(session))));
  });
}

/** A session as it was said, one event per line, page by page. */
export async function* exportLines(ledger: Ledger, session: SessionInfo): AsyncGenerator<string> {
  let after: SessionCursor | undefined;
  do {
    const page = await ledger.readSession({ session, limit: PAGE, ...(after === undefined ? {} : { after }) });
    const said = page.entries.filter(({ kind }) => kind === "event" || kind === "message");
    if (said.length > 0) yield `${said.map(({ text }) => inOneLine(text)).join("\n")}\n`;
    after = page.next;
    await new Promise((resolve) => setImmediate(resolve)); // others have their turn between two pages
  } while (after !== undefined);
}

async function* toLines(values: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const value of values) yield `${JSON.stringify(value)}\n`;
}

function theSession(ledger: Ledger, request: FastifyRequest): Promise<SessionInfo> {
  const { session: id, protocol, source } = queryOf(request);
  if (typeof id !== "string") throw wrong("`session` is missing: the id of a session.");
  return findOneSession(ledger, { id, protocol, source });
}

function wholeNumber(request: FastifyRequest, name: string, fallback: number, most: number): number {
  const text = queryOf(request)[name];
  if (text === undefined) return fallback;
  const number = typeof text === "string" && /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(number) || number < 1) throw wrong(`\`${name}\` is a whole number from 1 on.`);
  return Math.min(number, most);
}

function queryOf(request: FastifyRequest): Readonly<Record<string, unknown>> {
  return request.query as Readonly<Record<string, unknown>>;
}

function wrong(message: string): EarshotError {
  return new EarshotError({ code: "WRONG_QUERY", message });
}

/** Measurements for Prometheus. How much an agent says, and when, is not everybody's business: a viewer's credential is asked for. */
export function registerMetrics(app: FastifyInstance, measure: () => Promise<readonly Metric[]>): void {
  app.get("/metrics", { config: { access: "viewer", summary: "measurements, for Prometheus" } }, async (_request, reply) =>
    reply.header("content-type", METRICS_TYPE).send(writeMetrics(await measure())),
  );
}
