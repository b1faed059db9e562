import type { ControlView } from "@earshot/hub";
import { type ReactNode, useId, useRef } from "react";
import { announceInRegion } from "../../announce/regions.ts";
import { requestAsDevice } from "../../hub/request-as-device.ts";
import { type HubRead, useMayDecide } from "../../hub/use-hub.ts";
import { focusHeading } from "../../parts/focus-heading.ts";
import { ShortTime } from "../../parts/moment.tsx";
import { liftSession } from "../../parts/stop-dialog.tsx";
import { shortenVisibly } from "../../words/request-words.ts";
import { PausePart } from "./pause-part.tsx";
import { useUserAction } from "./use-user-action.ts";

/** Overrides of all rules: a pause, away mode, stopped sessions. */
export function RightNow({ control }: { readonly control: HubRead<ControlView> }): ReactNode {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const view = control.answer;
  // The pressed button may disappear with its effect: the focus stays near it.
  const changed = () => {
    focusHeading(heading.current);
    control.again();
  };
  return (
    <section aria-labelledby={id} className="panel">
      <h2 id={id} ref={heading} className="focus-title">
        Right now
      </h2>
      {view === undefined ? <p className="soft">Loading.</p> : <Settings view={view} onChange={changed} />}
    </section>
  );
}

interface SettingsProps {
  readonly view: ControlView;
  readonly onChange: () => void;
}

function Settings({ view, onChange }: SettingsProps): ReactNode {
  return (
    <>
      {view.pause === null ? <p>{view.holding.words}</p> : null}
      <PausePart pause={view.pause} onChange={onChange} />
      <Away view={view} onChange={onChange} />
      <StoppedPart stopped={view.stopped} onChange={onChange} />
      <Kept view={view} />
    </>
  );
}

function Away({ view, onChange }: SettingsProps): ReactNode {
  const mayDecide = useMayDecide();
  const { isBusy, problem, run } = useUserAction();
  const { away } = view;
  const set = (on: boolean) =>
    void run(async () => {
      await requestAsDevice("POST", "/api/away", { on });
      announceInRegion("polite", on ? "You are away: requests stay pending." : "You are back.");
      onChange();
    });
  if (away === null && !mayDecide) return null;
  return (
    <div className="now-part">
      {away === null ? null : (
        <p>
          Away since <ShortTime at={away.since} />
          {`, set by ${shortenVisibly(away.by, 60)}. Requests stay pending.`}
        </p>
      )}
      {away === null ? <p className="soft">While you are away, requests stay pending instead of going back to the agents.</p> : null}
      {mayDecide ? (
        <button type="button" className="button" aria-disabled={isBusy} onClick={() => set(away === null)}>
          {away === null ? "Hold requests while I'm away" : "I'm back"}
        </button>
      ) : null}
      {problem === undefined ? null : <p className="problem">{problem}</p>}
    </div>
  );
}

function Kept({ view }: { readonly view: ControlView }): ReactNode {
  if (view.kept.length === 0) return null;
  return (
    <div className="now-part">
      <h3 className="now-title">Answers that are kept</h3>
      <ul className="plain-list">
        {view.kept.map(({ request, session, answer, by, until }) => (
          <li key={request}>
            {`${answer.word}, once, if ${shortenVisibly(session, 40)} asks the same again, by ${shortenVisibly(by, 60)}, until `}
            <ShortTime at={until} />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface StoppedPartProps {
  readonly stopped: ControlView["stopped"];
  readonly onChange: () => void;
}

/** Sessions whose every hook is answered with *stop* until they are resumed. */
function StoppedPart({ stopped, onChange }: StoppedPartProps): ReactNode {
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
  const { isBusy, problem, run } = useUserAction();
  const { source, session, by, at, reason } = one;
  const name = shortenVisibly(session, 40);
  const lift = () =>
    void run(async () => {
      await liftSession(one);
      announceInRegion("polite", `The session ${name} may go on.`);
      onChange();
    });
  return (
    <li>
      <p>
        <code>{name}</code> {`of ${shortenVisibly(source, 40)}, stopped by ${shortenVisibly(by, 60)} at `}
        <ShortTime at={at} />
        {reason === null ? "." : `: ${shortenVisibly(reason, 200)}`}
      </p>
      {mayDecide ? (
        <button type="button" className="button" aria-disabled={isBusy} onClick={lift}>
          {`Resume ${name}`}
        </button>
      ) : null}
      {problem === undefined ? null : <p className="problem">{problem}</p>}
    </li>
  );
}
