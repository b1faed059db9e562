import { EarshotError } from "@earshot/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type ErasePorts, type EraseTarget, eraseOne, findErasable } from "../keeping/erase.ts";
import { type PruneLimits, type PrunePorts, planPruning, prune } from "../keeping/prune.ts";
import { limitsOf, type Retention } from "../keeping/retention.ts";
import { readJsonBody } from "./json-body.ts";
import { sendPieces } from "./pieces.ts";

export interface KeepingRoutePorts extends PrunePorts, ErasePorts {
  /** What goes when nothing else is asked for. */
  readonly retention: Retention;
}

/** Removing: whoever reads may see what would go, and only an admin makes it go. */
export function registerKeeping(app: FastifyInstance, ports: KeepingRoutePorts): void {
  app.get("/api/prune", { config: { access: "viewer", summary: "what would be pruned" } }, async (request, reply) =>
    sendLines(reply, planPruning(readLimits(queryOf(request), ports), ports)),
  );
  app.post("/api/prune", { config: { access: "admin", summary: "prunes, and tells how far it is" } }, async (request, reply) =>
    sendLines(reply, prune(readLimits(await readJsonBody(request), ports), ports)),
  );
  app.get("/api/erase", { config: { access: "viewer", summary: "the entries that an id or a position names" } }, async (request) => ({
    entries: await findErasable(readTarget(queryOf(request)), ports.ledger),
  }));
  app.post("/api/erase", { config: { access: "admin", summary: "erases the text of one entry" } }, async (request) => ({
    erased: await eraseOne(readTarget(await readJsonBody(request)), ports),
  }));
}

const TELL_EVERY_MS = 200;

/** Steps come faster than anybody reads them; the last one always counts. */
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

/** What is asked for: in the address when reading, in the body when something goes. */
type Asked = Readonly<Record<string, unknown>>;

function queryOf(request: FastifyRequest): Asked {
  return request.query as Asked;
}

function readLimits(asked: Asked, { now, retention }: KeepingRoutePorts): PruneLimits {
  const olderThanMs = readNumber(asked, "olderThanMs");
  const keepBytes = readNumber(asked, "keepBytes");
  const session = readText(asked, "session");
  if (olderThanMs === undefined && keepBytes === undefined && session === undefined) return limitsOf(retention, now());
  return {
    ...(olderThanMs === undefined ? {} : { receivedBefore: now() - olderThanMs }),
    ...(keepBytes === undefined ? {} : { keepBytes }),
    ...(session === undefined ? {} : { session }),
  };
}

function readTarget(asked: Asked): EraseTarget {
  const position = readNumber(asked, "position");
  const event = readText(asked, "event");
  const session = readText(asked, "session");
  if ((position === undefined) === (event === undefined)) throw wrong("Either `position` or `event` names what is to be erased.");
  return {
    ...(position === undefined ? {} : { position }),
    ...(event === undefined ? {} : { event }),
    ...(session === undefined ? {} : { session }),
  };
}

function readNumber(asked: Asked, name: string): number | undefined {
  const value = asked[name];
  if (value === undefined) return undefined;
  const number = typeof value === "number" || (typeof value === "string" && /^\d{1,16}$/.test(value)) ? Number(value) : Number.NaN;
  if (!Number.isSafeInteger(number) || number < 0) throw wrong(`\`${name}\` is a whole number.`);
  return number;
}

function readText(asked: Asked, name: string): string | undefined {
  const value = asked[name];
  if (value === undefined || (typeof value === "string" && value !== "")) return value;
  throw wrong(`\`${name}\` is given once, and not empty.`);
}

function wrong(message: string): EarshotError {
  return new EarshotError({ code: "WRONG_QUERY", message });
}
