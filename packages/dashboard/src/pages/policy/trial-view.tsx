import type { FateChange, PolicyTrial, TrialExample } from "@earshot/hub";
import { formatCount, formatNumber } from "@earshot/narrate";
import { type ReactNode, useId } from "react";
import { PageLink } from "../../parts/link.tsx";
import { ShortTime } from "../../parts/moment.tsx";
import { hrefOf } from "../../route.ts";
import { headingIn, shortenVisibly } from "../../words/request-words.ts";
import { AnswerBadge } from "./answer-badge.tsx";
import { ANSWER_VERBS, FATE_NAMES, isLooser, moveWords, pastWords } from "./policy-words.ts";

const FATES = ["asked", "passes", "refused", "left"] as const;

/** The answers of a policy text to past requests, contradictions to human decisions first. */
export function TrialView({ trial }: { readonly trial: PolicyTrial }): ReactNode {
  const { asks, sessions, firstAt, lastAt, isAll, moves, rules } = trial;
  if (asks === 0 || firstAt === null || lastAt === null) return <p>No recorded action can be decided by a rule.</p>;
  return (
    <>
      <p>
        {`${formatCount(asks, "action")} of ${formatCount(sessions, "session")}, from `}
        <ShortTime at={firstAt} /> to <ShortTime at={lastAt} />
        {isAll ? ", all that are recorded." : "; earlier ones are not included."}
      </p>
      <Contrary trial={trial} />
      <Counts trial={trial} />
      {moves.map((move) => (
        <MoveView key={`${move.from} ${move.to}`} move={move} />
      ))}
      {rules.length === 0 ? null : <RuleCounts rules={rules} />}
      <p className="soft">
        Secrets are masked in what is recorded, and whether somebody was there is not: rules about these may match less here. Rules of
        repositories are not tried.
      </p>
    </>
  );
}

/** "12 of 412 actions would go another way." */
export function trialInShort({ asks, changed }: PolicyTrial): string {
  if (asks === 0) return "No recorded action can be decided by a rule.";
  if (changed === 0) return `Of ${formatCount(asks, "action")}, none would be decided differently.`;
  return `${formatNumber(changed)} of ${formatCount(asks, "action")} would be decided differently.`;
}

function Contrary({ trial: { passesRefused, refusesAllowed } }: { readonly trial: PolicyTrial }): ReactNode {
  return (
    <>
      {passesRefused === 0 ? null : (
        <p className="contrary bad">{`Careful: ${formatNumber(passesRefused)} that you refused would pass.`}</p>
      )}
      {refusesAllowed === 0 ? null : (
        <p className="contrary warn">{`Mind: ${formatNumber(refusesAllowed)} that you allowed would be refused.`}</p>
      )}
    </>
  );
}

function Counts({ trial: { happened, before, now } }: { readonly trial: PolicyTrial }): ReactNode {
  return (
    <div className="wide">
      <table className="counts">
        <caption>How often each result would have occurred</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">Then</th>
            <th scope="col">Active rules</th>
            <th scope="col">This text</th>
          </tr>
        </thead>
        <tbody>
          {FATES.map((fate) => {
            const [was, is] = [before?.[fate] ?? 0, now[fate]];
            return (
              <tr key={fate} className={was === is ? undefined : "differs"}>
                <th scope="row">{FATE_NAMES[fate]}</th>
                <td>{formatNumber(happened[fate])}</td>
                <td>{formatNumber(was)}</td>
                <td>
                  {formatNumber(is)}
                  {was === is ? null : (
                    <span className="difference">{` (${is > was ? "+" : "−"}${formatNumber(Math.abs(is - was))})`}</span>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function MoveView({ move }: { readonly move: FateChange }): ReactNode {
  const id = useId();
  const { count, allowed, refused, examples } = move;
  const left = count - examples.length;
  return (
    <section aria-labelledby={id} className="move">
      <h3 id={id}>
        {`${moveWords(move)}: ${formatCount(count, "time")}`}{" "}
        <span className={isLooser(move) ? "status warn" : "status"}>{isLooser(move) ? "Allows more" : "Tightens"}</span>
      </h3>
      {allowed + refused === 0 ? null : (
        <p className="soft">{`Of these you allowed ${formatNumber(allowed)} and refused ${formatNumber(refused)}.`}</p>
      )}
      <ul className="plain-list">
        {examples.map((example) => (
          <ExampleRow key={example.position} example={example} />
        ))}
      </ul>
      {left <= 0 ? null : <p className="soft">{`And ${formatCount(left, "more time")}.`}</p>}
    </section>
  );
}

function ExampleRow({ example }: { readonly example: TrialExample }): ReactNode {
  const { position, sessionKey, receivedAt, asked, past, rule, ruleBefore } = example;
  return (
    <li className="example">
      <PageLink href={hrefOf("session", sessionKey, { at: position })}>{headingIn(asked).heading}</PageLink>
      <p className="facts">
        <ShortTime at={receivedAt} />
        <span>{pastWords(past)}</span>
        <span>{`Decides now: ${ruleName(ruleBefore)}`}</span>
        <span>{`Would decide: ${ruleName(rule)}`}</span>
        <PageLink href={hrefOf("policy", "explain", { position })} aria-label={`Explain position ${position}`}>
          Explain
        </PageLink>
      </p>
    </li>
  );
}

function ruleName(rule: string | undefined): string {
  return rule === undefined ? "no rule" : shortenVisibly(rule, 60);
}

function RuleCounts({ rules }: Pick<PolicyTrial, "rules">): ReactNode {
  return (
    <div className="wide">
      <table className="counts">
        <caption>How often each rule in this text would have decided</caption>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">Answer</th>
            <th scope="col">Times</th>
          </tr>
        </thead>
        <tbody>
          {rules.slice(0, MAX_RULES).map(({ rule, answer, count }) => (
            <tr key={rule}>
              <th scope="row">
                <code>{shortenVisibly(rule, 80)}</code>
              </th>
              <td>{isAnswer(answer) ? <AnswerBadge answer={answer} /> : answer}</td>
              <td>{formatNumber(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rules.length > MAX_RULES ? <p className="soft">{`And ${formatCount(rules.length - MAX_RULES, "more rule")}.`}</p> : null}
    </div>
  );
}

const MAX_RULES = 30;

function isAnswer(answer: string): answer is keyof typeof ANSWER_VERBS {
  return Object.hasOwn(ANSWER_VERBS, answer);
}
