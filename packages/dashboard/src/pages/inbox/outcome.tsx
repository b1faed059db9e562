import type { RequestView } from "@earshot/hub";
import { assessRequest, describeAftermath, describeDecision } from "@earshot/narrate";
import { type ReactNode, useRef, useState } from "react";
import { announceInRegion } from "../../announce/regions.ts";
import { headingIn, pagePresentation } from "../../words/request-words.ts";
import { answerRequest, forgetRule, problemWords, readRequest } from "./decide.ts";
import { ObjectButton } from "./object-button.tsx";
import { ExactLines } from "./shown-text.tsx";

export interface OutcomeProps {
  readonly view: RequestView;
  readonly mayDecide: boolean;
  readonly onView: (view: RequestView) => void;
}

/** How a request ended: the decider, time and reason; the agent's reaction; and the actions that remain. */
export function RequestOutcome({ view, mayDecide, onView }: OutcomeProps): ReactNode {
  const { decision, alarm, remembered, keepable } = view;
  const place = useRef<HTMLParagraphElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [note, setNote] = useState<string>();
  if (decision === null) return null;
  const after = describeAftermath(view, pagePresentation());
  const { yes } = assessRequest(view);
  const { what } = headingIn(view.card.asked);
  const run = (does: () => Promise<string>) => {
    if (isBusy) return;
    setBusy(true);
    does()
      .then(
        (words) => words,
        (error: unknown) => problemWords(error),
      )
      .then((words) => {
        setNote(words);
        announceInRegion("polite", words);
        place.current?.focus({ preventScroll: true }); // the button may be gone
      })
      .finally(() => setBusy(false));
  };
  const takeBack = (rule: string) =>
    run(async () => {
      await forgetRule(rule);
      onView(await readRequest(view.id));
      return "The rule is removed: requests of this kind will be asked again.";
    });
  const keep = () =>
    run(async () => {
      onView(await answerRequest(view, { answer: yes ?? "allow", keep: true }));
      return "Kept: if this session asks the same again within 30 minutes, it is allowed once.";
    });
  return (
    <div className="card-outcome">
      <p ref={place} tabIndex={-1} className="card-decision">
        {describeDecision(decision, view.card, pagePresentation())}
      </p>
      {after === undefined ? null : <p className="soft">{after}</p>}
      {alarm === null ? null : <p className="bad">{`Alarm: ${alarm}`}</p>}
      {remembered === undefined ? null : (
        <details>
          <summary>{`The rule ${remembered.rule} was kept with it`}</summary>
          <ExactLines text={remembered.yaml.trimEnd()} />
        </details>
      )}
      {mayDecide && remembered !== undefined ? (
        <ObjectButton label="Remove the rule" what={remembered.rule} isBusy={isBusy} onPress={() => takeBack(remembered.rule)} />
      ) : null}
      {mayDecide && keepable && yes !== undefined && note === undefined ? (
        <ObjectButton label="Allow it if asked again" what={what} isBusy={isBusy} onPress={keep} />
      ) : null}
      {note === undefined ? null : <p>{note}</p>}
    </div>
  );
}
