import type { ControlView } from "@earshot/hub";
import type { ReactNode } from "react";
import { tellRegion } from "../../announce/regions.ts";
import { ask } from "../../hub/ask.ts";
import { useMayDecide } from "../../hub/use-hub.ts";
import { Moment } from "../../parts/moment.tsx";
import { shortly } from "../../words/request-words.ts";
import { useDoing } from "./use-doing.ts";

export interface StoppedPartProps {
  readonly stopped: ControlView["stopped"];
  readonly onChange: () => void;
}

/** Sessions whose every hook hears *stop*, until somebody lets them go on. */
export function StoppedPart({ stopped, onChange }: StoppedPartProps): ReactNode {
  if (stopped.length === 0) return null;
  return (
    <div className="now-part">
      <h3 className="now-title">{`Stopped sessions: ${stopped.length}`}</h3>
      <ul className="plain-list">
        {stopped.map((one) => (
          <StoppedRow key={`${one.protocol} ${one.source} ${one.session}`} one={one} onChange={onChange} />
        ))}
      </ul>
    </div>
  );
}

function StoppedRow({ one, onChange }: { readonly one: ControlView["stopped"][number]; readonly onChange: () => void }): ReactNode {
  const mayDecide = useMayDecide();
  const { isBusy, problem, run } = useDoing();
  const { protocol, source, session, by, at, reason } = one;
  const name = shortly(session, 40);
  const lift = () =>
    void run(async () => {
      const query = new URLSearchParams({ protocol, source });
      await ask("POST", `/api/sessions/${encodeURIComponent(session)}/lift?${query}`, {});
      tellRegion("polite", `The session ${name} may go on.`);
      onChange();
    });
  return (
    <li>
      <p>
        <code>{name}</code> {`of ${shortly(source, 40)}, stopped by ${shortly(by, 60)} at `}
        <Moment at={at} />
        {reason === null ? "." : `: ${shortly(reason, 200)}`}
      </p>
      {mayDecide ? (
        <button type="button" className="button" aria-disabled={isBusy} onClick={lift}>
          {`Let ${name} go on`}
        </button>
      ) : null}
      {problem === undefined ? null : <p className="problem">{problem}</p>}
    </li>
  );
}
