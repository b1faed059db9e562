import type { RuleView } from "@earshot/hub";
import type { ReactNode } from "react";
import { ANSWER_VERBS } from "./policy-words.ts";

export function AnswerBadge({ answer }: { readonly answer: RuleView["answer"] }): ReactNode {
  const { words, tone } = ANSWER_VERBS[answer];
  return <span className={`status ${tone}`}>{words}</span>;
}
