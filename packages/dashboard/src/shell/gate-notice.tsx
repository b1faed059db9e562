import type { ControlView } from "@earshot/hub";
import type { ReactNode } from "react";
import { useLiveState, useRead } from "../hub/use-hub.ts";
import { Link } from "../parts/link.tsx";
import { hrefOf } from "../route.ts";

const HEADINGS = { everything: "Holding everything", dangerous: "Holding only what is dangerous", nothing: "Holding nothing" } as const;

/** On every page: what waits for a person just now and why, and which agents are not gated at all. */
export function GateNotice(): ReactNode {
  const state = useLiveState();
  const { answer } = useRead<ControlView>("/api/control", {
    changes: (news) => news.requests.some(({ what }) => what === "control" || what === "alarm"),
  });
  if (state === "away")
    return (
      <section className="gate unknown" aria-label="What is held">
        <p>
          <strong>Unknown what is held</strong> The hub is away.
        </p>
      </section>
    );
  if (answer === undefined) return null;
  const { holding, notGated } = answer;
  return (
    <section className={`gate ${notGated.length > 0 ? "open" : holding.holds}`} aria-label="What is held">
      {notGated.map(({ agent, name, reason, advice }) => (
        <p key={`${agent} ${reason}`}>
          <strong>{`Not gated: ${name}`}</strong> {`${reason} ${advice}`}
        </p>
      ))}
      <p>
        <strong>{HEADINGS[holding.holds]}</strong> {holding.words}
        {holding.change === null ? null : (
          <>
            {` ${holding.change} `}
            <Link href={hrefOf("policy")}>Pause and away</Link>
          </>
        )}
      </p>
    </section>
  );
}
