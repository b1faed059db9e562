import { type ReactNode, useRef } from "react";
import type { Heard } from "../../announce/heard-list.ts";
import { HeardText } from "../../announce/heard-text.tsx";
import { HearingControls } from "../../announce/hearing-controls.tsx";
import { useHeard } from "../../announce/use-listening.ts";
import { Moment } from "../../parts/moment.tsx";
import { useSteady } from "../../parts/use-steady.ts";

/** The last announcements, to be read again in peace. The list is not live: what is new is announced elsewhere. */
// biome-ignore lint/style/noDefaultExport: pages are loaded when they are opened, and React asks for a default export
export default function HeardPage(): ReactNode {
  const region = useRef<HTMLElement>(null);
  const { shown, waiting } = useSteady(region, useHeard().toReversed(), ({ id }) => id);
  return (
    <>
      <h1 tabIndex={-1}>Heard</h1>
      <p className="soft">
        The last 100 announcements, the newest first. All tabs of this browser share them, and they go when these are closed.
      </p>
      <section aria-labelledby="hear-now-title">
        <h2 id="hear-now-title">What to hear</h2>
        <HearingControls />
      </section>
      <section ref={region} aria-labelledby="announced-title">
        <h2 id="announced-title">Announced</h2>
        {shown.length === 0 ? <p>Nothing was announced since this page was opened.</p> : null}
        {waiting === 0 ? null : <p className="soft">{`${waiting} new, shown when you leave this list.`}</p>}
        <ol className="heard">
          {shown.map((heard) => (
            <HeardRow key={heard.id} heard={heard} />
          ))}
        </ol>
      </section>
    </>
  );
}

function HeardRow({ heard: { at, urgency, about, segments } }: { readonly heard: Heard }): ReactNode {
  return (
    <li className={urgency === "critical" ? (about === "request" ? "edge-warn" : "edge-bad") : undefined}>
      <Moment at={at} />
      <span>
        <HeardText segments={segments} />
      </span>
    </li>
  );
}
