import type { ControlView, PolicyExplanation } from "@earshot/hub";
import { agentName, formatCount, formatShortDuration } from "@earshot/narrate";
import { type ReactNode, useId } from "react";
import { VisibleText } from "../../content/visible-text.tsx";
import { ShortTime } from "../../parts/moment.tsx";
import { shortenVisibly } from "../../words/request-words.ts";
import { AnswerBadge } from "./answer-badge.tsx";

export interface ExplanationProps {
  readonly explanation: PolicyExplanation;
  readonly pause: ControlView["pause"];
}

/** "The answer is deny, by the rule pushes." */
export function explanationInShort({ ruling: { behaviour, rule } }: PolicyExplanation): string {
  return rule === undefined
    ? "No rule decides: the agent decides itself."
    : `The answer is ${behaviour}, by the rule ${shortenVisibly(rule.name, 80)}.`;
}

export function ExplanationView({ explanation, pause }: ExplanationProps): ReactNode {
  const id = useId();
  const { ruling, steps } = explanation;
  const { rule, why, message, changesInput } = ruling;
  return (
    <section aria-labelledby={id} className="panel explanation">
      <h2 id={id}>
        {explanationInShort(explanation)} <AnswerBadge answer={ruling.behaviour} />
      </h2>
      {pause === null ? null : (
        <p className="edge-warn policy-note">
          All rules are paused until <ShortTime at={pause.until} />: until then, agents decide everything themselves.
        </p>
      )}
      <ul className="why">
        {rule === undefined ? null : <li>{`Defined in ${shortenVisibly(rule.file, 120)}, line ${rule.line}.`}</li>}
        {why.slice(1).map((sentence) => (
          <li key={sentence}>
            <VisibleText text={sentence} as="code" />
          </li>
        ))}
        {message === undefined ? null : (
          <li>
            It says: “
            <VisibleText text={message} />”
          </li>
        )}
        {changesInput ? <li>It changes the input before it runs.</li> : null}
        <Waits ruling={ruling} />
      </ul>
      <Found explanation={explanation} />
      <Steps steps={steps} />
    </section>
  );
}

function Waits({ ruling }: { readonly ruling: PolicyExplanation["ruling"] }): ReactNode {
  const { behaviour, hold, holdForMs, unanswered, unreachable } = ruling;
  if (behaviour !== "ask" && behaviour !== "defer") return null;
  const waits = {
    always: `It waits for up to ${formatShortDuration(holdForMs)}, whether you are active or not.`,
    never: "It does not wait: the `unanswered` answer applies at once.",
    "when-someone-listens": `It waits for up to ${formatShortDuration(holdForMs)} while an approver is there.`,
  }[hold];
  return (
    <>
      <li>{waits}</li>
      <li>{`If no one answers: ${FALLBACKS[unanswered]}. If the hub cannot be reached: ${FALLBACKS[unreachable]}.`}</li>
    </>
  );
}

const FALLBACKS = { ask: "the agent asks at its own prompt", deny: "it is denied", allow: "it is allowed" } as const;

/** Facts found in the input: the rules see these, not the text. */
function Found({ explanation }: { readonly explanation: PolicyExplanation }): ReactNode {
  const { asked, found, ruling } = explanation;
  const { judged } = ruling;
  const facts = [
    `Moment: ${asked.moment}`,
    ...(asked.agent === null ? [] : [`Agent: ${agentName(shortenVisibly(asked.agent, 60))}`]),
    ...(asked.tool === null ? [] : [`Tool: ${shortenVisibly(asked.tool, 60)}`]),
    ...(asked.cwd === null ? [] : [`Folder: ${shortenVisibly(asked.cwd, 120)}`]),
    `Risk: ${judged.risk ?? "not known"}`,
    `Can be undone: ${judged.reversible === undefined ? "not known" : judged.reversible ? "yes" : "no"}`,
  ];
  return (
    <>
      <h3>Findings</h3>
      <p className="facts">
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </p>
      {found.parts.length === 0 ? null : (
        <ul className="plain-list">
          {found.parts.map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same command may stand twice, and none moves
            <li key={index} className={part.dangers.length === 0 ? "found-part" : "found-part edge-bad"}>
              {part.command === undefined ? null : (
                <code>
                  <VisibleText text={part.command} as="code" />
                </code>
              )}{" "}
              <span className="soft">
                {`${part.effect}${part.via.length === 0 ? "" : ` By way of ${part.via.join(", ")}.`}${part.dangers.length === 0 ? "" : ` Danger: ${part.dangers.join(", ")}.`}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Steps({ steps }: Pick<PolicyExplanation, "steps">): ReactNode {
  if (steps.length === 0) return <p className="soft">There are no rules.</p>;
  const reached = steps.filter(({ outcome }) => outcome !== "not-reached");
  const left = steps.length - reached.length;
  return (
    <>
      <h3>Rules in order</h3>
      <ol className="rule-list">
        {reached.map(({ rule, answer, outcome, why }) => (
          <li key={`${rule.file} ${rule.name}`} className={outcome === "decides" ? "rule decides" : "rule"}>
            <p className="rule-head">
              <code className="rule-name">{shortenVisibly(rule.name, 80)}</code> <AnswerBadge answer={answer} />{" "}
              <span className="rule-line">{`${shortenVisibly(rule.file, 80)}, line ${rule.line}`}</span>
            </p>
            <p className="rule-words">
              <strong>{outcome === "decides" ? "Decides. " : "Passed over. "}</strong>
              <VisibleText text={why} as="code" />
            </p>
          </li>
        ))}
      </ol>
      {left === 0 ? null : (
        <p className="soft">{`${formatCount(left, "rule comes", "rules come")} after that and ${left === 1 ? "is" : "are"} not reached.`}</p>
      )}
    </>
  );
}
