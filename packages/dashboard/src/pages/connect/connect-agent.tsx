import type { SetupText } from "@earshot/hub";
import { type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { announceInRegion } from "../../announce/regions.ts";
import { requestAsDevice } from "../../hub/request-as-device.ts";
import { useMayDecide } from "../../hub/use-hub.ts";
import { CopyText } from "../../parts/copy-text.tsx";
import { focusHeading } from "../../parts/focus-heading.ts";

export interface ConnectAgentProps {
  /** Slug of the agent. */
  readonly agent: string;
  readonly name: string;
  /** Whether the hub may write the agent's settings. */
  readonly canConnect: boolean;
  readonly isConnected?: boolean;
  readonly onDone?: () => void;
}

/** `earshot init` for one agent: shows what it would write, and writes exactly that when it is confirmed. */
export function ConnectAgent({ agent, name, canConnect, isConnected = false, onDone }: ConnectAgentProps): ReactNode {
  const region = useRef<HTMLDivElement>(null);
  const mayDecide = useMayDecide();
  const [preview, setPreview] = useState<SetupText>();
  const [result, setResult] = useState<SetupText>();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  if (!mayDecide || !canConnect) return <CopyText text={`npx earshot init --agent ${agent}`} what={`the command that connects ${name}`} />;
  const run = (work: () => Promise<void>) => {
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    work()
      .catch((error: unknown) => {
        const words = error instanceof Error ? error.message : "The action failed. Try again.";
        setProblem(words);
        announceInRegion("polite", words);
      })
      .finally(() => setBusy(false));
  };
  const showNext = (change: () => void) => {
    flushSync(change);
    focusHeading(region.current?.querySelector<HTMLElement>("h4") ?? null);
  };
  const look = () =>
    run(async () => {
      const text = await requestAsDevice<SetupText>("POST", `/api/agents/${agent}/preview`, {});
      showNext(() => {
        setResult(undefined);
        setPreview(text);
      });
    });
  const write = () =>
    run(async () => {
      const text = await requestAsDevice<SetupText>("POST", `/api/agents/${agent}/connect`, { digest: preview?.digest });
      showNext(() => {
        setPreview(undefined);
        setResult(text);
      });
      onDone?.();
    });
  return (
    <div ref={region} className="connect-agent">
      {preview !== undefined ? (
        <>
          <h4>{`This would be written for ${name}`}</h4>
          <pre className="setup-text">{preview.text}</pre>
          <div className="action-row">
            <button type="button" className="button primary" aria-disabled={isBusy} onClick={write}>
              {isBusy ? "Writing and testing the gate" : "Write this"}
            </button>
            <button type="button" className="button" onClick={() => setPreview(undefined)}>
              Cancel
            </button>
          </div>
        </>
      ) : (
        <>
          {result === undefined ? null : (
            <>
              <h4>{result.isDone ? `${name} is connected` : `${name} is not fully connected`}</h4>
              <pre className="setup-text">{result.text}</pre>
            </>
          )}
          <button type="button" className={isConnected ? "button small" : "button"} aria-disabled={isBusy} onClick={look}>
            {isConnected ? `Check ${name} again` : `Connect ${name}`}
          </button>
        </>
      )}
      {problem === undefined ? null : <p className="problem">{problem}</p>}
    </div>
  );
}
