import type { ReactNode } from "react";

/** The logo: a sound and its receiver. */
export function LogoMark(): ReactNode {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <circle cx="6" cy="12" r="3" fill="currentColor" />
      <path
        d="M11 7.5a6.4 6.4 0 0 1 0 9M15 4.5a10.6 10.6 0 0 1 0 15M19 1.5a14.8 14.8 0 0 1 0 21"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.2"
        strokeLinecap="round"
      />
    </svg>
  );
}

/** Strokes in a 16 × 16 square. */
const PATHS: Readonly<Record<string, string>> = {
  overview: "M2 4h8M4 8h10M2 12h6",
  inbox: "M2 9l2-6h8l2 6v4H2zM2 9h4l1 2h2l1-2h4",
  sessions: "M2 3.5h12M2 8h12M2 12.5h12",
  costs: "M3 13V9M8 13V3M13 13V6",
  search: "M7 2.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 0 1 0-9M10.5 10.5L14 14",
  alerts: "M8 2.5L14.5 13.5h-13zM8 7v3M8 11.8v.2",
  policy: "M8 2l5 2v4c0 3-2 5-5 6c-3-1-5-3-5-6V4zM6 8l1.5 1.5L10.5 6.5",
  agents: "M6 2v4M10 2v4M4 6h8v3a4 4 0 0 1-8 0zM8 13v1.5",
  heard: "M3 6v4M6 4v8M9 2v12M12 5v6",
  settings: "M2 5h7M13 5h1M11 3v4M2 11h1M7 11h7M5 9v4",
};

/** Shown beside the page's name, which has the same meaning. */
export function PageIcon({ name }: { readonly name: string }): ReactNode {
  return (
    <svg
      viewBox="0 0 16 16"
      aria-hidden="true"
      focusable="false"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name] ?? ""} />
    </svg>
  );
}
