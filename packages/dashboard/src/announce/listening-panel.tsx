import { type ReactNode, useRef } from "react";
import { PageLink } from "../parts/link.tsx";
import { ShortTime } from "../parts/moment.tsx";
import { hrefOf } from "../route.ts";
import { useSettings } from "../settings.ts";
import { AnnouncementText } from "./announcement-text.tsx";
import { AnnouncerControls } from "./announcer-controls.tsx";
import { useAnnouncer, usePastAnnouncements } from "./use-announcer.ts";

/** On every page: a button that opens the announcement log and its controls. The browser handles opening and closing. */
export function ListeningPanel({ onShortcuts }: { readonly onShortcuts: () => void }): ReactNode {
  const { quiet, follow } = useSettings();
  const panel = useRef<HTMLElement>(null);
  const isStarting = useAnnouncer() === undefined;
  const last = usePastAnnouncements().at(-1);
  const standing = quiet ? ": quiet" : follow === "" ? "" : ": one session";
  return (
    <div className="listening">
      <button type="button" className="button" popoverTarget="listening">
        {`Listening${standing}`}
      </button>
      <section
        ref={panel}
        id="listening"
        popover="auto"
        className="listening-panel"
        aria-labelledby="listening-title"
        aria-busy={isStarting}
      >
        <h2 id="listening-title">Listening</h2>
        <AnnouncerControls />
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: whatever is chosen in it closes the panel; the links do the rest */}
        <ul className="plain-list listening-links" onClick={() => panel.current?.hidePopover()}>
          <li>
            <PageLink href={hrefOf("heard")}>All announcements</PageLink>
          </li>
          <li>
            <PageLink href={hrefOf("settings")}>Voices, sounds and pace</PageLink>
          </li>
          <li>
            <button type="button" className="link" onClick={onShortcuts}>
              Shortcuts
            </button>
          </li>
        </ul>
        {/* At the end: it changes while somebody aims at what is above it. */}
        {last === undefined ? (
          <p className="said-last soft">No announcements yet.</p>
        ) : (
          <p className="said-last">
            <span className="soft">
              Said last, <ShortTime at={last.at} />:
            </span>{" "}
            <AnnouncementText segments={last.segments} />
          </p>
        )}
      </section>
    </div>
  );
}
