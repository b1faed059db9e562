import type { NotifyView } from "@earshot/hub";
import { type ReactNode, useState } from "react";
import { tellRegion } from "../../announce/regions.ts";
import { ask } from "../../hub/ask.ts";
import { useRead } from "../../hub/use-hub.ts";

/** Whether the hub itself tells requests on the desktop that it runs on, tab or no tab. */
export function DesktopNotes(): ReactNode {
  const { answer } = useRead<NotifyView>("/api/notify");
  const [note, setNote] = useState<string>();
  const tell = (words: string) => {
    setNote(words);
    tellRegion("polite", words);
  };
  const tryIt = () =>
    void ask<NotifyView>("POST", "/api/notify/test", {}).then(
      ({ why }) => tell(why === null ? "A test is on the desktop of the machine that the hub runs on." : `Nothing was shown. ${why}`),
      (error: unknown) => tell(error instanceof Error ? error.message : "That did not work."),
    );
  if (answer === undefined) return null;
  const { way, withdraws, why } = answer;
  return (
    <>
      <h3>Desktop</h3>
      {way === null ? (
        <p>{`The hub shows nothing on the desktop that it runs on. ${why ?? ""}`}</p>
      ) : (
        <>
          <p>
            {`The hub tells requests and a lost guard on the desktop that it runs on, tab or no tab: who and what kind, never the command. ${withdraws ? "What is answered is taken away again." : ""}`}
          </p>
          <p className="soft">{`By ${way}. notify: false in config.yaml switches it off.`}</p>
          {why === null ? null : <p className="problem">{`The last one could not be shown: ${why}`}</p>}
          <p className="buttons">
            <button type="button" className="button" onClick={tryIt}>
              Try it on the desktop
            </button>
          </p>
        </>
      )}
      {note === undefined ? null : <p className="soft">{note}</p>}
    </>
  );
}
