import type { ReactNode } from "react";

export interface TimelineEndsProps {
  readonly where: "before" | "after";
  readonly hasMore: boolean;
  /** The next part beside what is there; undefined where it comes by itself. */
  readonly onMore: (() => void) | undefined;
  readonly onFar: () => void;
}

const WORDS = {
  before: { more: "Show earlier", far: "Go to the beginning", name: "Earlier parts of the timeline" },
  after: { more: "Show later", far: "Go to the end", name: "Later parts of the timeline" },
} as const;

/** How one gets to what is not shown. */
export function TimelineEnds({ where, hasMore, onMore, onFar }: TimelineEndsProps): ReactNode {
  if (!hasMore) return null;
  const { more, far, name } = WORDS[where];
  return (
    <nav className="timeline-ends" aria-label={name}>
      {onMore === undefined ? null : (
        <button type="button" className="button" onClick={onMore}>
          {more}
        </button>
      )}
      <button type="button" className="button" onClick={onFar}>
        {far}
      </button>
    </nav>
  );
}
