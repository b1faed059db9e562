import { type ReactNode, useId } from "react";
import { OnlySession } from "../../parts/only-session.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { hrefOf, refine, usePlace } from "../../route.ts";
import { CheckedSession } from "./checked-session.tsx";
import { useChecked } from "./use-checked.ts";

/** How live sessions keep the rules of their protocols, rule by rule: `?session=` one of them, `?rule=` those that broke it. */
// biome-ignore lint/style/noDefaultExport: pages are loaded when they are opened, and React asks for a default export
export default function CheckPage(): ReactNode {
  const { query } = usePlace();
  const id = useId();
  const session = query.get("session") ?? "";
  const rule = query.get("rule") ?? "";
  const { sessions, problem } = useChecked(session, rule);
  return (
    <>
      <h1>Check</h1>
      <p className="soft">
        How the latest sessions keep the rules of their protocols, judged as they are heard. A recording is checked with{" "}
        <code>earshot check FILE</code>; <code>earshot check explain RULE</code> says what a rule asks for.
      </p>
      <search aria-label="Sessions shown" className="filters">
        <label htmlFor={id}>Rule</label>
        <input
          id={id}
          value={rule}
          placeholder="any"
          size={34}
          autoCapitalize="none"
          spellCheck={false}
          onChange={({ currentTarget }) => refine({ rule: currentTarget.value })}
        />
      </search>
      {session === "" ? null : <OnlySession session={session} all={hrefOf("check", { rule })} />}
      <ProblemNote problem={problem} />
      <section aria-label="Sessions" className="after-filters">
        {sessions === undefined && problem === undefined ? <p className="soft">Loading.</p> : null}
        {sessions?.length === 0 ? (
          <p>{rule === "" ? "No session has been heard yet." : "None of the latest 100 sessions broke such a rule."}</p>
        ) : null}
        <ul className="rows">
          {sessions?.map((one) => (
            <CheckedSession key={`${one.key} ${session}`} session={one} isOpened={session !== "" || rule !== ""} rule={rule} />
          ))}
        </ul>
      </section>
    </>
  );
}
