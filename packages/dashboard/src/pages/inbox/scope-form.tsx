import type { RequestView, RuleProposal } from "@earshot/hub";
import { type FormEvent, type ReactNode, useEffect, useId, useState } from "react";
import { HubProblem } from "../../hub/request-as-device.ts";
import { formatClockTime } from "../../words/times.ts";
import { problemWords, proposeRule } from "./decide.ts";
import { ObjectButton } from "./object-button.tsx";
import { ExactLines, ExactText } from "./shown-text.tsx";

export interface ScopeFormProps {
  readonly view: RequestView;
  readonly what: string;
  readonly isBusy: boolean;
  /** Changes when the last attempt failed: the rule may differ by now. */
  readonly attempt: string | undefined;
  readonly onRule: (proposal: RuleProposal) => void;
}

type Scope = RuleProposal["scope"];

const SCOPES: readonly (readonly [Scope, string])[] = [
  ["once", "Once"],
  ["session", "In this session"],
  ["project", "In this project, today"],
  ["always", "Always, in this project"],
];

/** Allows similar requests in the future: shows the rule first, and stores exactly that rule. */
export function ScopeForm({ view, what, isBusy, attempt, onRule }: ScopeFormProps): ReactNode {
  const name = useId();
  const [scope, setScope] = useState<Scope>("session");
  const [offer, setOffer] = useState<{ readonly proposal?: RuleProposal; readonly why?: string }>({});
  const { id, digest } = view;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again
  useEffect(() => {
    const stop = new AbortController();
    setOffer({});
    proposeRule({ id, digest }, scope, stop.signal).then(
      (proposal) => setOffer({ proposal }),
      (error: unknown) => {
        if (stop.signal.aborted) return;
        const isRefused = error instanceof HubProblem && error.problem.code === "RULE_NOT_OFFERED";
        setOffer({ why: isRefused ? `No rule is offered for this: ${error.problem.message}` : problemWords(error) });
      },
    );
    return () => stop.abort();
  }, [id, digest, scope, attempt]);

  const send = (event: FormEvent) => {
    event.preventDefault();
    if (offer.proposal !== undefined) onRule(offer.proposal);
  };
  return (
    <form onSubmit={send}>
      <fieldset className="card-picks">
        <legend>How long to allow it</legend>
        {SCOPES.map(([value, label]) => (
          <label key={value} className="card-pick">
            <input type="radio" name={name} value={value} checked={scope === value} onChange={() => setScope(value)} />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      <div className="rule-offer">
        {offer.why === undefined ? null : <p>{offer.why}</p>}
        {offer.proposal === undefined && offer.why === undefined ? <p className="soft">Loading the rule.</p> : null}
        {offer.proposal === undefined ? null : <Rule proposal={offer.proposal} />}
      </div>
      <ObjectButton
        label={scope === "once" ? "Allow once" : "Allow, and keep this rule"}
        what={what}
        isBusy={isBusy || offer.proposal === undefined}
      />
    </form>
  );
}

function Rule({ proposal: { words, yaml, file, until, past } }: { readonly proposal: RuleProposal }): ReactNode {
  return (
    <>
      <p>
        <ExactText text={words} />
      </p>
      {past === null ? null : (
        <>
          <p>{`It would have allowed ${past.matched} of the last ${past.asks} actions${past.matched === 0 ? "." : ":"}`}</p>
          {past.matched === 0 ? null : <ExactLines text={past.examples.join("\n")} />}
        </>
      )}
      {yaml === null ? null : <ExactLines text={yaml.trimEnd()} />}
      {yaml === null ? null : (
        <p className="soft">
          {file === null ? (
            "The hub stores it; it is not written to a file."
          ) : (
            <>
              {"It is written to "}
              <ExactText text={file} />
              {", before all other rules."}
            </>
          )}
          {until === null ? "" : ` It ends at ${formatClockTime(until)} at the latest.`}
          {" You can remove it later."}
        </p>
      )}
    </>
  );
}
