import { basename } from "node:path";
import type { PolicyInput } from "@earshot/policy";
import { EarshotError, type JsonObject } from "@earshot/protocol";
import type { FastifyInstance } from "fastify";
import Type from "typebox";
import type { Ledger } from "../ledger/ledger.ts";
import type { PolicyStore } from "../policy/policy-store.ts";
import { policyViewSchema } from "../policy/policy-view.ts";
import { controlViewSchema, forgetBody } from "../requests/api.ts";
import type { RequestEngine } from "../requests/engine.ts";
import type { RuleRemembering } from "../requests/rule-remembering.ts";
import {
  type ExplainBody,
  explainBody,
  policyCheckSchema,
  policyExplanationSchema,
  policyRulesSchema,
  policyTextBody,
  policyTrialSchema,
  textBody,
  tryBody,
} from "../trial/api.ts";
import { askedIn, findRecorded, type RecordedAsk } from "../trial/read-payload.ts";
import type { RuleTrials } from "../trial/rule-trials.ts";
import { abortedOnClose, deciderNameOf, invalidRequest } from "./request-routes.ts";
import { defineRoute } from "./validation.ts";

const acceptBody = Type.Object({ hash: Type.String({ description: "of the text that was shown" }) });
const BODY_BYTES = 512 * 1024;
const TRIED_ASKS = 10_000;
const MAX_TRIED_ASKS = 100_000;

interface PolicyRouteOptions {
  readonly engine: RequestEngine;
  readonly ledger: Ledger;
  readonly policy: Pick<PolicyStore, "view" | "fullView" | "accept" | "described" | "file" | "speakingAt" | "write">;
  readonly remembering: RuleRemembering;
  readonly trials: RuleTrials;
}

/** A rule text with the name of its file. */
function namedText(policy: PolicyRouteOptions["policy"], text: string | null) {
  return { file: basename(policy.view().path), text };
}

/** Reading, testing, explaining and writing rules. */
export function registerPolicy(app: FastifyInstance, options: PolicyRouteOptions): void {
  const { engine, policy, trials } = options;
  registerExplaining(app, options);
  registerAccepting(app, options);

  app.get(
    "/api/policy/rules",
    defineRoute("viewer", "the rules that count, in words, and the file as it stands", { response: { 200: policyRulesSchema } }),
    async () => ({ ...policy.described(), file: policy.file() }),
  );

  app.post(
    "/api/policy/check",
    defineRoute(
      "viewer",
      "what is wrong with a text of rules, and what it would change",
      { body: textBody, response: { 200: policyCheckSchema } },
      { bodyLimit: BODY_BYTES },
    ),
    async ({ body }, reply) =>
      trials.ask("check", { text: namedText(policy, body.text), accepted: policy.view().text }, abortedOnClose(reply)),
  );

  app.post(
    "/api/policy/try",
    defineRoute(
      "viewer",
      "what a text of rules would have answered to what was asked before",
      { body: tryBody, response: { 200: policyTrialSchema } },
      { bodyLimit: BODY_BYTES },
    ),
    async ({ body: { text, limit = TRIED_ASKS } }, reply) => {
      const given = { text: namedText(policy, text), accepted: policy.view().text, limit: Math.min(limit, MAX_TRIED_ASKS) };
      return trials.ask("tryOut", given, abortedOnClose(reply));
    },
  );

  app.post(
    "/api/policy/text",
    defineRoute(
      "approver",
      "writes the file of rules; what lets more through is accepted with it, or waits",
      { body: policyTextBody, response: { 200: policyViewSchema } },
      { bodyLimit: BODY_BYTES },
    ),
    async (request) => policy.write(request.body, deciderNameOf(request, engine)),
  );
}

function registerAccepting(app: FastifyInstance, { engine, policy, remembering }: PolicyRouteOptions): void {
  app.post(
    "/api/policy/forget",
    defineRoute("approver", "takes back what was allowed from now on", { body: forgetBody, response: { 200: controlViewSchema } }),
    async (request) => remembering.forget(request.body.rule, deciderNameOf(request, engine)),
  );
  app.get("/api/policy", defineRoute("viewer", "the rules, and what is pending", { response: { 200: policyViewSchema } }), async () =>
    policy.fullView(),
  );
  app.post(
    "/api/policy/accept",
    defineRoute("approver", "accepts rules that allow more", { body: acceptBody, response: { 200: policyViewSchema } }),
    async (request) => policy.accept(request.body.hash, deciderNameOf(request, engine)),
  );
}

function registerExplaining(app: FastifyInstance, { engine, ledger, policy, trials }: PolicyRouteOptions): void {
  app.post(
    "/api/policy/explain",
    defineRoute(
      "viewer",
      "which rule decides something, and why the others do not",
      { body: explainBody, response: { 200: policyExplanationSchema } },
      { bodyLimit: BODY_BYTES },
    ),
    async ({ body }, reply) => {
      const { asked, source = "", session = "" } = await whatIsMeant(ledger, body);
      const speaking = policy.speakingAt(asked.cwd);
      const own = namedText(policy, body.text ?? speaking.text);
      const granted = engine.control.grantedTo(source, session).map(({ yaml }) => yaml);
      const repositories = speaking.repositories.map(({ path, text }) => ({ file: path, text }));
      return trials.ask("explain", { asked, own, granted, repositories }, abortedOnClose(reply));
    },
  );
}

async function whatIsMeant(
  ledger: Ledger,
  { payload, request, position }: ExplainBody,
): Promise<Partial<RecordedAsk> & { readonly asked: PolicyInput }> {
  if ([payload, request, position].filter((one) => one !== undefined).length !== 1)
    throw invalidRequest("One of `payload`, `request` and `position` says what is to be explained.");
  if (payload !== undefined) return { asked: askedIn(payload as JsonObject) };
  const found = await findRecorded(ledger, request === undefined ? { position: Number(position) } : { request });
  if (found === undefined) throw new EarshotError({ code: "NOT_FOUND", message: "No recorded action there can be decided by a rule." });
  return found;
}
