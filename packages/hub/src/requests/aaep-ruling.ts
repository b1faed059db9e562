import type { Behaviour, Rules } from "../policy/rules.ts";
import type { Answer, Word } from "./answer.ts";
import type { Asked, CardTerms } from "./card.ts";

/** What the person's rules say to something that an AAEP agent asks; undefined where it is for a person to say. */
export function ruleOnAaep(
  { asked, terms }: { readonly asked: Asked; readonly terms: CardTerms },
  rules: Rules,
  attended: boolean,
): { readonly rule: string; readonly answer: Answer } | undefined {
  if (asked.kind === "clarification") return undefined;
  const { risk, irreversible, agent, session } = asked;
  const { behaviour, rule, message } = rules.judge({
    moment: asked.kind === "handoff" ? "handoff" : "confirmation",
    agent,
    session,
    ...(risk === "unknown" ? {} : { risk }),
    reversible: !irreversible,
    attended,
    said: asked.said.map(({ text }) => text).join("\n"),
  });
  const words: Partial<Record<Behaviour, Word>> = { allow: "accept", deny: asked.kind === "handoff" ? "decline" : "reject" };
  const word = words[behaviour];
  if (word === undefined || rule === undefined || !terms.answers.includes(word)) return undefined;
  return { rule: rule.name, answer: { word, ...(message === undefined ? {} : { message }) } };
}
