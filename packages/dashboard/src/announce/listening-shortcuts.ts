import type { SessionSource } from "@earshot/announcer";
import type { Shortcut } from "../shortcuts/shortcuts.ts";
import { turnFollow, turnMute, turnQuiet } from "./announcer-actions.ts";
import type { BrowserAnnouncer } from "./browser-announcer.ts";
import { announceInRegion } from "./regions.ts";

const GROUP = "Listening";

/** The announcer's shortcuts, available on every page. Shortcuts about a session apply to the session announced last. */
export function listeningShortcuts(listening: BrowserAnnouncer | undefined): readonly Shortcut[] {
  const withSource = (act: (source: SessionSource) => void) => () => {
    const source = listening?.lastSource();
    if (source === undefined) announceInRegion("polite", "No session has been announced yet.");
    else act(source);
  };
  const find = (session: string) => listening?.sources.find(session);
  return [
    { id: "heard.missed", group: GROUP, keys: "w", does: "What did I miss?", run: () => listening?.missed() },
    { id: "heard.overview", group: GROUP, keys: "o", does: "Sessions waiting and running", run: () => listening?.overview() },
    {
      id: "heard.repeat",
      group: GROUP,
      keys: "r",
      does: "Repeat the last announcement; once more, the one before it",
      run: () => listening?.repeat(),
    },
    { id: "heard.enough", group: GROUP, keys: ".", does: "Skip the current announcement", run: () => listening?.enough() },
    { id: "heard.quiet", group: GROUP, keys: "q", does: "Quiet, or not", run: turnQuiet },
    {
      id: "heard.follow",
      group: GROUP,
      keys: "f",
      does: "Follow the latest session, or all sessions",
      run: withSource(turnFollow),
    },
    {
      id: "heard.mute-session",
      group: GROUP,
      keys: "m s",
      does: "Mute or unmute the last announced session",
      run: withSource(({ session }) => turnMute({ session }, find)),
    },
    {
      id: "heard.mute-agent",
      group: GROUP,
      keys: "m a",
      does: "Mute or unmute its agent",
      run: withSource(({ agent }) => turnMute({ agent }, find)),
    },
    {
      id: "heard.mute-project",
      group: GROUP,
      keys: "m p",
      does: "Mute or unmute its project",
      run: withSource(({ project }) =>
        project === undefined ? announceInRegion("polite", "It belongs to no project.") : turnMute({ project }, find),
      ),
    },
  ];
}
