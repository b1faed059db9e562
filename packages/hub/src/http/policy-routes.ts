import { basename } from "node:path";
import type { Asked } from "@earshot/policy";
import { EarshotError, isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import type { FastifyInstance } from "fastify";
import type { Ledger } from "../ledger/ledger.ts";
import type { PolicyStore } from "../policy/policy-store.ts";
import type { Engine } from "../requests/engine.ts";
import type { PolicyRules } from "../trial/api.ts";
import { findRecorded, type RecordedAsk } from "../trial/find-recorded.ts";
import { askedIn } from "../trial/read-payload.ts";
import type { StudyDesk } from "../trial/study-desk.ts";
import { readJsonBody } from "./json-body.ts";
import { byOf, closing, wrong } from "./request-routes.ts";

export interface PolicyRoutePorts {
  readonly engine: Engine;
  readonly ledger: Ledger;
  readonly policy: Pick<PolicyStore, "view" | "described" | "file" | "speakingAt" | "write">;
  readonly study: StudyDesk;
}

/** What the reader of rules takes; as JSON it is a little longer. */
const LONGEST_TEXT = 256 * 1024;
const BODY_BYTES = 2 * LONGEST_TEXT;
const TRIED = 10_000;
const MOST_TRIED = 100_000;

/** Rules that somebody reads, tries, asks about or writes: see trial/api.ts. */
export function registerPolicy(app: FastifyInstance, { engine, ledger, policy, study }: PolicyRoutePorts): void {
  /** The name under which the file is spoken of, and a text that would stand in it. */
  const named = (text: string | null) => ({ file: basename(policy.view().path), text });

  app.get(
    "/api/policy/rules",
    { config: { access: "viewer", summary: "the rules that count, in words, and the file as it stands" } },
    async (): Promise<PolicyRules> => ({ ...policy.described(), file: policy.file() }),
  );

  app.post(
    "/api/policy/check",
    { config: { access: "viewer", summary: "what is wrong with a text of rules, and what it would change" } },
    async (request, reply) => {
      const text = textOf(await readJsonBody(request, BODY_BYTES));
      return study.ask("check", { text: named(text), accepted: policy.view().text }, closing(reply));
    },
  );

  app.post(
    "/api/policy/try",
    { config: { access: "viewer", summary: "what a text of rules would have answered to what was asked before" } },
    async (request, reply) => {
      const body = await readJsonBody(request, BODY_BYTES);
      const given = { text: named(textOf(body)), accepted: policy.view().text, limit: limitOf(body["limit"]) };
      return study.ask("tryOut", given, closing(reply));
    },
  );

  app.post(
    "/api/policy/explain",
    { config: { access: "viewer", summary: "which rule decides something, and why the others do not" } },
    async (request, reply) => {
      const body = await readJsonBody(request, BODY_BYTES);
      const { asked, source = "", session = "" } = await whatIsMeant(ledger, body);
      const speaking = policy.speakingAt(asked.cwd);
      const own = named(body["text"] === undefined ? speaking.text : textOf(body));
      const granted = engine.control.grantedTo(source, session).map(({ yaml }) => yaml);
      const repositories = speaking.repositories.map(({ path, text }) => ({ file: path, text }));
      return study.ask("explain", { asked, own, granted, repositories }, closing(reply));
    },
  );

  app.post(
    "/api/policy/text",
    { config: { access: "approver", summary: "writes the file of rules; what lets more through is accepted with it, or waits" } },
    async (request) => {
      const body = await readJsonBody(request, BODY_BYTES);
      const { base, accepts } = body;
      if (typeof base !== "string") throw wrong("`base` is the hash of the file that was changed.");
      if (accepts !== undefined && typeof accepts !== "string") throw wrong("`accepts` names the change that was shown.");
      const text = textOf(body);
      return policy.write({ text, base, ...(accepts === undefined ? {} : { accepts }) }, byOf(request, engine));
    },
  );
}

function textOf({ text }: JsonObject): string {
  if (typeof text !== "string") throw wrong("`text` is a text of rules.");
  if (text.length > LONGEST_TEXT) throw new EarshotError({ code: "TOO_LARGE", message: "A text of rules has at most 256 KiB." });
  return text;
}

function limitOf(limit: JsonValue | undefined): number {
  if (limit === undefined) return TRIED;
  if (typeof limit !== "number" || !Number.isSafeInteger(limit) || limit < 1) throw wrong("`limit` is a whole number from 1 on.");
  return Math.min(limit, MOST_TRIED);
}

async function whatIsMeant(ledger: Ledger, body: JsonObject): Promise<Partial<RecordedAsk> & { readonly asked: Asked }> {
  const { payload, request, position } = body;
  if ([payload, request, position].filter((one) => one !== undefined).length !== 1)
    throw wrong("One of `payload`, `request` and `position` says what is to be explained.");
  if (payload !== undefined) {
    if (!isObject(payload)) throw wrong("`payload` is a JSON object.");
    return { asked: askedIn(payload) };
  }
  if (request !== undefined && typeof request !== "string") throw wrong("`request` is the id of a request.");
  if (position !== undefined && (typeof position !== "number" || !Number.isSafeInteger(position) || position < 1))
    throw wrong("`position` is a whole number from 1 on.");
  const found = await findRecorded(ledger, request === undefined ? { position: Number(position) } : { request });
  if (found === undefined)
    throw new EarshotError({ code: "NOT_FOUND", message: "Nothing that a rule could speak about is recorded there." });
  return found;
}
