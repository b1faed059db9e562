import { type AskedDescription, type Explanation, POLICY_MOMENTS } from "@earshot/policy";
import Type, { type Static } from "typebox";
import { listOf, naturalNumber, orNull, positiveInteger } from "../api-schema.ts";
import { ruleViewSchema } from "../policy/policy-view.ts";
import type { TrialResult } from "./trial.ts";

/**
 * Request and response types of the HTTP routes for reading, testing and writing rules. Only `POST /api/policy/text` changes anything.
 */
const maybe = Type.Optional;
/** The rule reader accepts as many characters; the JSON around them is a little longer. */
const MAX_TEXT_CHARACTERS = 256 * 1024;
const rulesText = Type.String({ maxLength: MAX_TEXT_CHARACTERS, tooLong: "TOO_LARGE", description: "a text of rules" });

export const policyRulesSchema = Type.Object({
  rules: listOf(ruleViewSchema, { description: "in the order in which they are asked: the first that matches decides" }),
  file: Type.Object(
    {
      hash: orNull(Type.String(), { description: "the `base` of a change; null: it cannot be read" }),
      text: orNull(Type.String()),
    },
    { description: "the file, which may say something else than what counts" },
  ),
  repositories: listOf(Type.Object({ path: Type.String(), rules: listOf(ruleViewSchema) }), {
    description: "rules of repositories, which tighten what is done there",
  }),
});
export type PolicyRules = Static<typeof policyRulesSchema>;

export const textBody = Type.Object({ text: rulesText });

export const policyCheckSchema = Type.Object({
  ok: Type.Boolean({ description: "false when it has errors: then nothing of it would count, and the rest is empty" }),
  troubles: listOf(
    Type.Object({
      file: Type.String(),
      line: Type.Integer(),
      column: Type.Integer(),
      severity: Type.Enum(["error", "warning"]),
      message: Type.String(),
      hint: Type.String(),
    }),
  ),
  rules: naturalNumber(),
  changes: listOf(
    Type.Object({ kind: Type.Enum(["added", "removed", "changed"]), rule: Type.String(), loosens: Type.Boolean(), told: Type.String() }),
    { description: "what it changes about the rules that count" },
  ),
  accepts: orNull(Type.String(), { description: "names this change for its acceptance; null when nothing has to be accepted" }),
});
export type PolicyCheck = Static<typeof policyCheckSchema>;

export const tryBody = Type.Object({
  text: rulesText,
  limit: maybe(positiveInteger({ description: "how many of the last asks are tried; 10,000 if left out, 100,000 at most" })),
});
export type TryBody = Static<typeof tryBody>;

/** Compares the active rules with the tested ones; `happened` is the recorded result. Repository rules are not tested. */
export interface PolicyTrial extends TrialResult {
  /** Whether all recorded actions were tested, rather than only the most recent ones. */
  readonly isAll: boolean;
}
export const policyTrialSchema = Type.Unsafe<PolicyTrial>({
  type: "object",
  description: "what the text would have answered to what was asked before",
});

export const explainBody = Type.Object({
  payload: maybe(Type.Object({}, { description: "an AEP or AAEP event, a hook's payload, or `{tool, command, cwd …}`" })),
  request: maybe(Type.String({ description: "the id of a request" })),
  position: maybe(positiveInteger({ description: "where something that asks is recorded" })),
  text: maybe(rulesText),
});
export type ExplainBody = Static<typeof explainBody>;

export const policyExplanationSchema = Type.Object({
  asked: Type.Object({
    moment: Type.Enum(POLICY_MOMENTS),
    agent: orNull(Type.String()),
    tool: orNull(Type.String()),
    cwd: orNull(Type.String()),
  }),
  found: Type.Unsafe<AskedDescription>({ type: "object", description: "what was found in it" }),
  ruling: Type.Unsafe<Omit<Explanation["ruling"], "updatedInput"> & { readonly changesInput: boolean }>({ type: "object" }),
  steps: Type.Unsafe<Explanation["steps"]>({
    type: "array",
    description: "every rule, in order; granted ones first, those of a repository last",
  }),
});
export type PolicyExplanation = Static<typeof policyExplanationSchema>;

export const policyTextBody = Type.Object({
  text: rulesText,
  base: Type.String({ description: "the hash of the file that was changed" }),
  accepts: maybe(Type.String({ description: "`accepts` of the check, by an approver who has seen what the change lets through" })),
});
export type PolicyTextBody = Static<typeof policyTextBody>;
