import type { PolicyView } from "@earshot/hub";
import { formatCount } from "@earshot/narrate";
import { type ReactNode, useId, useRef } from "react";
import { announceInRegion } from "../../announce/regions.ts";
import { requestAsDevice } from "../../hub/request-as-device.ts";
import { useMayDecide } from "../../hub/use-hub.ts";
import { focusHeading } from "../../parts/focus-heading.ts";
import { useArmed } from "../inbox/use-armed.ts";
import { ChangeList } from "./change-list.tsx";
import { splitTold } from "./policy-words.ts";
import { TextChange } from "./text-change.tsx";
import { useUserAction } from "./use-user-action.ts";

export interface PendingProps {
  readonly path: string;
  readonly hash: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly loosens: readonly string[];
  /** The effect, if it is not to allow more. */
  readonly what?: string;
  /** Their name at the start of a sentence: "Your rules", "Rules of the repository shop". */
  readonly name: string;
  /** Name of the accepted object on the button. */
  readonly object: string;
  readonly onAccepted: (view: PolicyView) => void;
}

/** A file that allows more than the active rules: shown line by line, and accepted by an approver after review. */
export function PendingRules({ path, hash, before, after, loosens, name, object, what, onAccepted }: PendingProps): ReactNode {
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  const { isArmed, mayDecide: isMeant } = useArmed(panel, hash);
  const mayDecide = useMayDecide();
  const { isBusy, problem, run } = useUserAction();
  const accept = () => {
    if (!isMeant()) return;
    void run(async () => {
      const view = await requestAsDevice<PolicyView>("POST", "/api/policy/accept", { hash });
      announceInRegion("polite", `${name} were accepted and are now in force.`);
      // The panel disappears with its button: the focus stays on the page.
      focusHeading(document.querySelector<HTMLElement>("main h1"));
      onAccepted(view);
    });
  };
  return (
    <section ref={panel} aria-labelledby={id} className="panel policy-pending">
      <h2 id={id}>{`${name} wait to be accepted`}</h2>
      <p>
        {what ??
          `The file ${after === null ? "is gone" : "was changed"}. It lets more through than what counts now, so nothing of it counts yet: ${formatCount(loosens.length, "change")} to look at.`}
      </p>
      <ChangeList
        changes={loosens.map((one) => {
          const { rule, told } = splitTold(one);
          return { kind: "changed", rule, told, loosens: true };
        })}
      />
      <TextChange path={path} before={before} after={after} />
      {mayDecide ? (
        <p className="policy-actions">
          <button type="button" className="button primary" aria-disabled={isBusy || !isArmed} onClick={accept}>
            {`Accept ${object}`}
          </button>
        </p>
      ) : (
        <p className="soft">Only an approver can accept it.</p>
      )}
      {problem === undefined ? null : <p className="problem">{problem}</p>}
    </section>
  );
}
