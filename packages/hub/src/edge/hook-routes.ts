import { readBytes } from "@earshot/aaep/node";
import { EarshotError, type JsonObject, readJson } from "@earshot/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Engine } from "../decide/engine.ts";
import type { HookDesk } from "../decide/hook-desk.ts";
import type { Admission } from "../intake/admission.ts";
import { readSubmission } from "../intake/submission.ts";
import type { Source } from "../ledger/ledger.ts";
import { callerOf } from "./access.ts";
import { readJsonBody } from "./json-body.ts";
import { provesAnswer } from "./proven-answers.ts";
import { closing, queryOf, readNumber, reasonOf, waitOf, wrong } from "./request-routes.ts";

export interface HookRoutePorts {
  readonly engine: Engine;
  readonly hooks: HookDesk;
  readonly now: () => number;
  readonly redacts: (source: Source) => boolean;
  readonly eventBytes: number;
  /** What unfinished bodies may take together. */
  readonly admission: Admission;
}

type ById = FastifyRequest<{ Params: { id: string } }>;

/** Nobody waits for a day, and no number is believed blindly. */
export const LONGEST_HOLD_MS = 86_400_000;

/** What agents ask before they act: an AEP event in, an AEP response out. */
export function registerHooks(app: FastifyInstance, { engine, hooks, now, redacts, eventBytes, admission }: HookRoutePorts): void {
  app.post(
    "/aep/v1/hooks",
    { config: { access: "producer", summary: "an AEP event that waits for its response" } },
    async (request, reply) => {
      const { name } = callerOf(request);
      const size = Math.min(Number(request.headers["content-length"] ?? eventBytes) || 0, eventBytes);
      admission.admit(name, size);
      const body = await readBytes(request.raw, eventBytes).finally(() => admission.release(name, size));
      const text = body.toString("utf8");
      const read = readSubmission(text, body.length, { name, verified: true, protocol: "aep" }, { receivedAt: now(), redacts });
      if (!read.ok) throw new EarshotError(read.problem);
      const { submission } = read;
      if (submission.kind !== "event" || submission.identity === null || submission.session === "") {
        throw new EarshotError({
          code: "EVENT_INVALID",
          message: "A hook sends an event with an id and a session.",
          pointer: "/session/id",
        });
      }
      const raw = readJson(text);
      if (!raw.ok) throw new EarshotError(raw.problem);
      const longest = queryOf(request)["longest"];
      const ask = {
        submission,
        raw: raw.value as JsonObject,
        asksItself: flag(request, "asks", false),
        besideDialog: flag(request, "dialog", false),
        canAsk: flag(request, "canAsk", true),
        attended: flag(request, "attended", true),
        longestMs: longest === undefined ? null : readNumber(request, "longest", 0, LONGEST_HOLD_MS),
      };
      const answer = await hooks.ask(ask, waitOf(request), closing(reply));
      provesAnswer(request, { asked: body, request: answer.request });
      return answer;
    },
  );

  app.get(
    "/aep/v1/hooks/:id",
    { config: { access: "producer", summary: "the response, when there is one" } },
    async (request: ById, reply) => {
      const answer = await hooks.poll(request.params.id, callerOf(request).name, waitOf(request), closing(reply));
      provesAnswer(request, { asked: Buffer.alloc(0), request: answer.request });
      return answer;
    },
  );

  app.post(
    "/aep/v1/hooks/:id/withdraw",
    { config: { access: "producer", summary: "takes back what one has asked" } },
    async (request: ById) => {
      const { name } = callerOf(request);
      const held = await engine.poll(request.params.id, name, 0); // only who asked gets past this
      const body = await readJsonBody(request);
      const { state } = await engine.withdraw(held.id, { by: name, ...reasonOf(body) });
      return { request: held.id, state };
    },
  );
}

function flag(request: FastifyRequest, name: string, fallback: boolean): boolean {
  const value = queryOf(request)[name];
  if (value === undefined) return fallback;
  if (value === "1" || value === "0") return value === "1";
  throw wrong(`\`${name}\` is 1 or 0.`);
}
