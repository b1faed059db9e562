import type { Mute } from "@earshot/announcer";
import { type SessionSource, sourceWords } from "@earshot/announcer";
import { type ReactNode, useRef } from "react";
import { useSteadyList } from "../parts/use-steady-list.ts";
import { changeBrowserSettings, useSettings } from "../settings.ts";
import { turnFollow, turnMute, turnQuiet } from "./announcer-actions.ts";
import { muteWords, readMute, writeMute } from "./mutes.ts";
import { useAnnouncer, usePastAnnouncements } from "./use-announcer.ts";

/** Buttons for immediate playback: missed announcements, repeating the last one, and muting. */
export function AnnouncerControls(): ReactNode {
  const listening = useAnnouncer();
  const { quiet } = useSettings();
  usePastAnnouncements(); // whom the last announcement was about changes with it
  const region = useRef<HTMLDivElement>(null);
  const last = listening?.lastSource();
  // Held steady under a pointer or the focus: a click aimed at one agent must not mute another.
  const [source] = useSteadyList(region, last === undefined ? [] : [last], ({ session }) => session).shown;
  return (
    <div ref={region}>
      <p className="hearing-actions">
        <button type="button" className="button" onClick={() => listening?.missed()}>
          What did I miss?
        </button>
        <button type="button" className="button" onClick={() => listening?.overview()}>
          Sessions waiting and running
        </button>
        <button type="button" className="button" onClick={() => listening?.repeat()}>
          Repeat the last announcement
        </button>
        <button type="button" className="button" onClick={() => listening?.enough()}>
          Skip this announcement
        </button>
      </p>
      <p className="toggle">
        <label>
          <input type="checkbox" checked={quiet} onChange={turnQuiet} /> Quiet: only critical announcements
        </label>
      </p>
      {source === undefined ? null : <SourceControls source={source} />}
      <MutedList />
    </div>
  );
}

/** Announcement controls for a session, its agent and its project. */
function SourceControls({ source }: { readonly source: SessionSource }): ReactNode {
  const listening = useAnnouncer();
  const { follow, muted } = useSettings();
  const { session, agent, project } = source;
  const who = sourceWords(source);
  const choices: readonly (readonly [string, Mute])[] = [
    [`this session of ${who}`, { session }],
    [agent, { agent }],
    ...(project === undefined ? [] : [[`the project ${project}`, { project }] as const]),
  ];
  return (
    <>
      <h3 className="small-title">{`Heard last: ${who}`}</h3>
      <p className="buttons">
        <button type="button" className="button" aria-pressed={follow === session} onClick={() => turnFollow(source)}>
          {`Only this session of ${who}`}
        </button>
        {choices.map(([words, mute]) => (
          <button
            key={words}
            type="button"
            className="button"
            aria-pressed={muted.includes(writeMute(mute))}
            onClick={() => turnMute(mute, (id) => listening?.sources.find(id))}
          >
            {`Mute ${words}`}
          </button>
        ))}
      </p>
    </>
  );
}

/** Lists the muted sources and the followed session. Empty if there are none. */
export function MutedList(): ReactNode {
  const listening = useAnnouncer();
  const { muted, follow } = useSettings();
  const find = (session: string) => listening?.sources.find(session);
  const mutes = muted.map(readMute).filter((mute) => mute !== undefined);
  if (mutes.length === 0 && follow === "") return null;
  const followed = find(follow);
  return (
    <>
      {follow === "" ? null : (
        <p>
          {`You hear only ${followed === undefined ? `the session ${follow}` : sourceWords(followed)}, and critical announcements. `}
          <button type="button" className="button" onClick={() => changeBrowserSettings({ follow: "" })}>
            Hear everybody
          </button>
        </p>
      )}
      {mutes.length === 0 ? null : (
        <>
          <h3 className="small-title">Muted</h3>
          <ul className="plain-list">
            {mutes.map((mute) => (
              <li key={writeMute(mute)}>
                <button type="button" className="button" onClick={() => turnMute(mute, find)}>
                  {`Hear ${muteWords(mute, find)} again`}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
