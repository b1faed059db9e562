import type { RuleView } from "@earshot/hub";
import type { ReactNode } from "react";
import { ANSWERS } from "./policy-words.ts";

export function AnswerBadge({ answer }: { readonly answer: RuleView["answer"] }): ReactNode {
  const { words, tone } = ANSWERS[answer];
  return <span className={`status ${tone}`}>{words}</span>;
}
