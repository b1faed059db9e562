import type { RuleView } from "@earshot/hub";
import { formatCount } from "@earshot/narrate";
import { type ReactNode, useId } from "react";
import { VisibleText } from "../../content/visible-text.tsx";
import { AnswerBadge } from "./answer-badge.tsx";

/** Rules in evaluation order, grouped by source. */
export function RuleList({
  rules,
  own,
  first = 1,
}: {
  readonly rules: readonly RuleView[];
  readonly own: string;
  readonly first?: number;
}): ReactNode {
  const groups = groupsOf(rules);
  let number = first;
  return groups.map((group) => {
    const start = number;
    number += group.rules.length;
    return <RuleGroup key={`${group.file} ${start}`} file={group.file} rules={group.rules} isOwn={group.file === own} start={start} />;
  });
}

interface Group {
  readonly file: string;
  readonly rules: RuleView[];
}

function groupsOf(rules: readonly RuleView[]): readonly Group[] {
  const groups: Group[] = [];
  for (const rule of rules) {
    const last = groups.at(-1);
    if (last?.file === rule.file) last.rules.push(rule);
    else groups.push({ file: rule.file, rules: [rule] });
  }
  return groups;
}

function RuleGroup({ file, rules, isOwn, start }: Group & { readonly isOwn: boolean; readonly start: number }): ReactNode {
  const id = useId();
  return (
    <section aria-labelledby={id} className="rule-group">
      <h3 id={id}>
        {isOwn ? "Your own" : `From the preset ${file}`}
        <span className="soft">{`, ${formatCount(rules.length, "rule")}`}</span>
      </h3>
      <ol className="rule-list" start={start}>
        {rules.map((rule) => (
          <RuleRow key={rule.name} rule={rule} />
        ))}
      </ol>
    </section>
  );
}

function RuleRow({ rule }: { readonly rule: RuleView }): ReactNode {
  const { name, answer, words, message, line } = rule;
  return (
    <li className="rule">
      <p className="rule-head">
        <code className="rule-name">
          <VisibleText text={name} as="code" />
        </code>{" "}
        <AnswerBadge answer={answer} /> <span className="rule-line">{`line ${line}`}</span>
      </p>
      <p className="rule-words">
        <VisibleText text={words} as="code" />
      </p>
      {message === null ? null : (
        <p className="rule-message">
          Says: “
          <VisibleText text={message} />”
        </p>
      )}
    </li>
  );
}
