import type { ControlView } from "@earshot/hub";
import { type ReactNode, useState } from "react";
import { announceInRegion } from "../../announce/regions.ts";
import { requestAsDevice } from "../../hub/request-as-device.ts";
import { useHubRead } from "../../hub/use-hub.ts";
import { ShortTime } from "../../parts/moment.tsx";
import { liftSession } from "../../parts/stop-dialog.tsx";
import { shortenVisibly } from "../../words/request-words.ts";
import { problemWords } from "./decide.ts";
import { ObjectButton } from "./object-button.tsx";

/** State that applies to all requests or to one session: away mode, a pause, stopped sessions, and standing permissions. */
export function OverridesNotice({ mayDecide }: { readonly mayDecide: boolean }): ReactNode {
  const { answer, again } = useHubRead<ControlView>("/api/control", { changes: (news) => news.requests.length > 0, everyMs: 1000 });
  const [note, setNote] = useState<string>();
  if (answer === undefined) return null;
  const { pause, away, stopped, kept } = answer;
  const run = (does: Promise<unknown>, told: string) => {
    does
      .then(
        () => told,
        (error: unknown) => problemWords(error),
      )
      .then((words) => {
        setNote(words);
        announceInRegion("polite", words);
        again();
      });
  };
  return (
    <section aria-labelledby="standing-title" className="inbox-standing">
      <h2 id="standing-title">Right now</h2>
      <ul className="plain-list">
        <li>
          {away === null ? (
            "Requests wait while you are active in a browser or terminal. Turn on away mode to make them wait longer, for example for your phone."
          ) : (
            <>
              Away since <ShortTime at={away.since} />, set by {shortenVisibly(away.by, 60)}: requests stay pending without activity.
            </>
          )}{" "}
          {mayDecide ? (
            <button
              type="button"
              className="button small"
              onClick={() =>
                run(
                  requestAsDevice("POST", "/api/away", { on: away === null }),
                  away === null ? "You are away. Requests wait for your answer." : "You are back.",
                )
              }
            >
              {away === null ? "Hold requests while I'm away" : "I'm back"}
            </button>
          ) : null}
        </li>
        {pause === null ? null : (
          <li>
            <strong className="warn">Paused</strong> until <ShortTime at={pause.until} /> by {shortenVisibly(pause.by, 60)}
            {pause.reason === "" ? "" : ` (${shortenVisibly(pause.reason, 200)})`}: agents decide everything themselves.{" "}
            {mayDecide ? (
              <button
                type="button"
                className="button small"
                onClick={() => run(requestAsDevice("POST", "/api/pause", { forMs: 0 }), "The pause has ended.")}
              >
                End the pause
              </button>
            ) : null}
          </li>
        )}
        {stopped.map((one) => (
          <li key={`${one.protocol} ${one.source} ${one.session}`}>
            <strong className="warn">Stopped</strong>: session {shortenVisibly(one.session, 60)}, by {shortenVisibly(one.by, 60)} at{" "}
            <ShortTime at={one.at} />.{" "}
            {mayDecide ? (
              <ObjectButton
                label="Resume"
                what={`session ${shortenVisibly(one.session, 60)}`}
                kind="small"
                onPress={() => run(liftSession(one), "The session is resumed.")}
              />
            ) : null}
          </li>
        ))}
        {kept.map((one) => (
          <li key={one.request}>
            A yes is kept until <ShortTime at={one.until} />, in case the same is asked again in session {shortenVisibly(one.session, 60)}.
          </li>
        ))}
      </ul>
      {note === undefined ? null : <p>{note}</p>}
    </section>
  );
}
