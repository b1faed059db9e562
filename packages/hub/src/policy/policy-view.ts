import { BEHAVIOURS, describeRule, type PolicyRule } from "@earshot/policy";
import Type, { type Static } from "typebox";
import { listOf, orNull } from "../api-schema.ts";

const pendingText = { hash: Type.String(), text: orNull(Type.String()), loosens: listOf(Type.String()) };

export const policyViewSchema = Type.Object(
  {
    path: Type.String(),
    home: Type.Optional(Type.String({ description: "the person's home folder, for shorter names of what lies in it" })),
    hash: Type.String({ description: "of the text that was accepted last; `none` where there is none" }),
    text: orNull(Type.String()),
    troubles: listOf(Type.String(), { description: "what is wrong with the file; the last good text decides meanwhile" }),
    pending: orNull(Type.Object(pendingText), { description: "a text that allows more than the present one and waits for an approver" }),
    repositories: listOf(Type.Object({ path: Type.String(), hash: Type.String(), text: Type.String() }), {
      description: "rules of repositories, which tighten what is done there",
    }),
    pendingRepositories: listOf(Type.Object({ path: Type.String(), ...pendingText }), {
      description: "those that were loosened or removed since, and wait for an approver",
    }),
    pendingAgents: listOf(
      Type.Object({
        agent: Type.String(),
        path: Type.String(),
        hash: Type.String(),
        text: Type.String(),
        changes: listOf(Type.String()),
      }),
      { description: "own files that would replace a shipped agent's, and wait for an approver" },
    ),
  },
  { title: "Policy" },
);
export type PolicyView = Static<typeof policyViewSchema>;

/** A rule as a person reads it. */
export const ruleViewSchema = Type.Object({
  name: Type.String(),
  answer: Type.Enum(BEHAVIOURS),
  words: Type.String({ description: "to what it applies, and how: what follows its name and its answer" }),
  message: orNull(Type.String()),
  file: Type.String({ description: "the file, or the preset" }),
  line: Type.Integer(),
});
export type RuleView = Static<typeof ruleViewSchema>;

export function toRuleView(rule: PolicyRule): RuleView {
  const { name, answer, message = null, from } = rule;
  return { name, answer, words: describeRule(rule).slice(`${name}: ${answer}, `.length), message, file: from.file, line: from.line };
}
