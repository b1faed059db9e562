import type { SessionView } from "@earshot/hub";
import { agentName } from "@earshot/narrate";
import { type ReactNode, useState } from "react";
import { announceInRegion } from "../../announce/regions.ts";
import { fetchAsDevice } from "../../hub/request-as-device.ts";
import { useMayDecide } from "../../hub/use-hub.ts";
import { liftSession, StopDialog, useStopDialog } from "../../parts/stop-dialog.tsx";
import { hrefOf } from "../../route.ts";

export interface SessionActionsProps {
  readonly session: SessionView;
  readonly isStopped: boolean;
  readonly onChanged: () => void;
}

/** Actions on a session. Only an approver can stop it, after a confirmation. */
export function SessionActions({ session, isStopped, onChanged }: SessionActionsProps): ReactNode {
  const mayDecide = useMayDecide();
  const [problem, setProblem] = useState<string>();
  const [copied, setCopied] = useState(false);
  const { dialog, question } = useStopDialog();
  const name = agentName(session.agent);
  const { protocol, source, id, key } = session;
  const guarded = (work: () => Promise<void>) => () => {
    setProblem(undefined);
    work().catch((error: unknown) => {
      const words = error instanceof Error ? error.message : "The action failed. Try again.";
      setProblem(words);
      announceInRegion("assertive", words);
    });
  };
  const lift = guarded(async () => {
    await liftSession({ session: id, protocol, source });
    announceInRegion("polite", `${name} may go on.`);
    onChanged();
  });
  const save = guarded(async () => {
    const query = new URLSearchParams({ session: id, protocol, source });
    const response = await fetchAsDevice("GET", `/api/export?${query}`, undefined, undefined, "application/x-ndjson");
    download(await response.blob(), `${id.replaceAll(/[^\w.-]+/g, "_").slice(0, 80)}.${protocol}.jsonl`);
  });
  const copy = guarded(async () => {
    await navigator.clipboard.writeText(new URL(hrefOf("session", key), location.href).href);
    setCopied(true);
    announceInRegion("polite", "Link copied.");
  });
  return (
    <div className="session-actions">
      {mayDecide ? (
        // One button for both actions, which keeps the focus.
        <button type="button" className="small-button" onClick={isStopped ? lift : question}>
          {isStopped ? "Resume this session" : "Stop this session …"}
        </button>
      ) : null}
      <button type="button" className="small-button" onClick={save}>
        Export
      </button>
      <button type="button" className="small-button" onClick={copy}>
        {copied ? "Link copied" : "Copy link"}
      </button>
      <p className="problem">{problem}</p>
      <StopDialog ref={dialog} name={name} session={{ session: id, protocol, source }} onStopped={onChanged} />
    </div>
  );
}

/** Saves a blob as a file. A plain link would not carry the credential that the hub requires. */
function download(file: Blob, name: string): void {
  const href = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
