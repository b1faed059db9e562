import type { PolicyTrial } from "@earshot/hub";
import { formatNumber } from "@earshot/narrate";
import { type ReactNode, useId, useState } from "react";
import { announceInRegion } from "../../announce/regions.ts";
import { requestAsDevice } from "../../hub/request-as-device.ts";
import { TrialView, trialInShort } from "./trial-view.tsx";
import { useUserAction } from "./use-user-action.ts";

export interface TrialProps {
  readonly text: string;
  /** Whether the text has no errors. */
  readonly isUsable: boolean;
  readonly tried: { readonly text: string; readonly trial: PolicyTrial } | undefined;
  readonly onTried: (tried: { readonly text: string; readonly trial: PolicyTrial }) => void;
}

const LIMITS = ["1000", "10000", "100000"] as const;

/** Runs a text over past requests and shows which results would differ. Changes nothing. */
export function PolicyTrialPart({ text, isUsable, tried, onTried }: TrialProps): ReactNode {
  const id = useId();
  const [limit, setLimit] = useState("10000");
  const { isBusy, problem, run } = useUserAction();
  const start = () => {
    if (!isUsable) return;
    void run(async () => {
      const trial = await requestAsDevice<PolicyTrial>("POST", "/api/policy/try", { text, limit: Number(limit) });
      onTried({ text, trial });
      announceInRegion("polite", trialInShort(trial));
    });
  };
  return (
    <section aria-labelledby={`${id}-title`} className="trial">
      <h2 id={`${id}-title`}>Try it on past requests</h2>
      <p className="filters">
        <label htmlFor={id}>How many actions</label>
        <select id={id} value={limit} onChange={({ currentTarget }) => setLimit(currentTarget.value)}>
          {LIMITS.map((one) => (
            <option key={one} value={one}>
              {`the last ${formatNumber(Number(one))}`}
            </option>
          ))}
        </select>
        <button type="button" className="button" aria-disabled={isBusy || !isUsable} onClick={start}>
          {isBusy ? "Trying" : "Try these rules"}
        </button>
      </p>
      {isUsable ? null : <p className="soft">A text with errors cannot be tried.</p>}
      {problem === undefined ? null : <p className="problem">{problem}</p>}
      {tried === undefined ? null : (
        <>
          {tried.text === text ? null : (
            <p className="edge-warn policy-note">This result is for an earlier text. Try again for the current one.</p>
          )}
          <p className="trial-sum">{trialInShort(tried.trial)}</p>
          <TrialView trial={tried.trial} />
        </>
      )}
    </section>
  );
}
