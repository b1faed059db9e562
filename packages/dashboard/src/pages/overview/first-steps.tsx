import type { AgentList } from "@earshot/hub";
import { type ReactNode, useState } from "react";
import { announceInRegion } from "../../announce/regions.ts";
import { requestAsDevice } from "../../hub/request-as-device.ts";
import { useHubRead, useMayDecide } from "../../hub/use-hub.ts";
import { CopyText } from "../../parts/copy-text.tsx";
import { PageLink } from "../../parts/link.tsx";
import { hrefOf } from "../../route.ts";
import { ConnectAgent } from "../connect/connect-agent.tsx";

/** First steps while no agent has sent an event. */
export function FirstSteps(): ReactNode {
  const { answer } = useHubRead<AgentList>("/api/agents");
  const canConnect = answer?.canConnect === true;
  return (
    <div className="first-steps">
      <h1>No events yet</h1>
      <p className="lead">Earshot is running. Choose a first step; each takes about a minute.</p>
      <div className="steps">
        <section className="panel" aria-labelledby="demo-title">
          <h2 id="demo-title">Play the demo</h2>
          <p>Three agents work for about 40 seconds. One of them asks for your approval here.</p>
          <PlayDemo canPlay={canConnect} />
        </section>
        <section className="panel" aria-labelledby="connect-title">
          <h2 id="connect-title">Connect Claude Code</h2>
          <p>Registers hooks in the settings of Claude Code. You see every line before it is written, and a test call proves the gate.</p>
          <ConnectAgent agent="claude" name="Claude Code" canConnect={canConnect} />
          <p>
            <PageLink href={hrefOf("agents")}>Other agents and programs</PageLink>
          </p>
        </section>
      </div>
      <p className="soft">This page shows the first event as soon as it arrives.</p>
    </div>
  );
}

/** Starts the demo on the hub's machine; a viewer gets the command. */
export function PlayDemo({ canPlay }: { readonly canPlay: boolean }): ReactNode {
  const mayDecide = useMayDecide();
  const [note, setNote] = useState<string>();
  if (!canPlay || !mayDecide) return <CopyText text="npx earshot demo" what="the command that plays the demo" />;
  const play = () => {
    requestAsDevice("POST", "/api/demo", {}).then(
      () => say("The demo is playing."),
      (error: unknown) => say(error instanceof Error ? error.message : "The demo did not start. Try again."),
    );
  };
  const say = (words: string) => {
    setNote(words);
    announceInRegion("polite", words);
  };
  return (
    <>
      <button type="button" className="button primary" onClick={play}>
        Play the demo
      </button>
      {note === undefined ? null : <p className="soft">{note}</p>}
    </>
  );
}
