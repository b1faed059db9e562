import type { ReactNode } from "react";

const PATHS = {
  prompt: "M3 4.5h10v6H7.5L4.5 13v-2.5H3z",
  thought: "M8 2.5a4 4 0 0 0-2.2 7.3V12h4.4V9.8A4 4 0 0 0 8 2.5zM6.5 14h3",
  answer: "M3 3.5h10M3 8h10M3 12.5h6",
  terminal: "M2.5 3.5h11v9h-11zM5 6.5 6.8 8 5 9.5M8.5 9.8H11",
  file: "M4 2.5h5L12 5.5v8H4zM9 2.5v3h3",
  pencil: "M3 13l.8-3L10.5 3.3l2.2 2.2L6 12.2z",
  globe: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM2.5 8h11M8 2.5c-4 3.5-4 7.5 0 11M8 2.5c4 3.5 4 7.5 0 11",
  search: "M7 3a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM10 10l3.5 3.5",
  tool: "M9.7 6.3a3 3 0 0 1 3.8-3.2l-1.9 1.9.9 1.5 2-.3a3 3 0 0 1-4 3L5 14.5 2.5 12z",
  agents: "M5 3.5v9M5 8c4 0 6-.5 6-4M11 3.5v1M5 12.5v1",
  question: "M6 6a2 2 0 1 1 2.7 1.9c-.5.2-.7.6-.7 1.1v.5M8 12v.5",
  decision: "M3 8.5 6.5 12 13 4.5",
  flag: "M4 13.5v-11h7.5L10 5.5l1.5 3H4",
  alert: "M8 2.5 14 13H2zM8 6.5v3M8 11v.5",
  cross: "M4 4l8 8M12 4l-8 8",
  clock: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 5v3.2l2 1.3",
  play: "M5.5 3.5v9L12 8z",
  dot: "M8 6.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z",
  memory:
    "M3.5 4.5c0-1 2-1.8 4.5-1.8s4.5.8 4.5 1.8v7c0 1-2 1.8-4.5 1.8s-4.5-.8-4.5-1.8zM3.5 8c0 1 2 1.8 4.5 1.8s4.5-.8 4.5-1.8M3.5 4.5c0 1 2 1.8 4.5 1.8s4.5-.8 4.5-1.8",
  bell: "M4.5 11V7.5a3.5 3.5 0 0 1 7 0V11l1 1h-9zM7 13.5h2",
} as const;

export type IconName = keyof typeof PATHS;

/** A small drawing. It repeats what the words beside it say. */
export function Icon({ name }: { readonly name: IconName }): ReactNode {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
