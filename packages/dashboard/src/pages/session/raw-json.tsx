import type { ReactNode } from "react";
import { JsonView } from "../../content/json-view.tsx";
import type { LiveEntry } from "../../hub/live.ts";
import { useRead } from "../../hub/use-hub.ts";
import { ProblemNote } from "../../parts/problem-note.tsx";

/** An entry exactly as it was said, fetched when somebody wants to see it. */
export function RawJson({ position }: { readonly position: number }): ReactNode {
  const { answer, problem } = useRead<LiveEntry>(`/api/entries/${position}`);
  return (
    <section aria-label={`Raw JSON of entry ${position}`}>
      <ProblemNote problem={problem} />
      {answer !== undefined ? (
        <JsonView value={answer.event} most={8000} />
      ) : problem === undefined ? (
        <p className="soft">Loading.</p>
      ) : null}
    </section>
  );
}
