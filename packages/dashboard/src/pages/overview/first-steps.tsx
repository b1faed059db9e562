import type { ReactNode } from "react";
import { CopyText } from "../../parts/copy-text.tsx";
import { Link } from "../../parts/link.tsx";
import { hrefOf } from "../../route.ts";

/** First steps while no agent has sent an event. */
export function FirstSteps(): ReactNode {
  return (
    <div className="first-steps">
      <h1>No agent has been heard yet</h1>
      <p className="lead">Earshot is running. The next step takes a minute.</p>
      <div className="steps">
        <section className="panel" aria-labelledby="demo-title">
          <h2 id="demo-title">Play the demo</h2>
          <p>Three agents work for about 40 seconds. One of them asks for your approval here.</p>
          <CopyText text="npx earshot demo" what="the command that plays the demo" />
        </section>
        <section className="panel" aria-labelledby="connect-title">
          <h2 id="connect-title">Connect Claude Code</h2>
          <p>Registers hooks in the settings of Claude Code, asks before it writes, and proves that the gate holds.</p>
          <CopyText text="npx earshot init --agent claude" what="the command that connects Claude Code" />
          <p>
            <Link href={hrefOf("agents")}>Other agents and programs</Link>
          </p>
        </section>
      </div>
      <p className="soft">This page shows the first event as soon as it arrives.</p>
    </div>
  );
}
