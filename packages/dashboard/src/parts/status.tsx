import type { SessionStatus } from "@earshot/hub";
import { describeStatus } from "@earshot/narrate";
import type { ReactNode } from "react";
import { PAGE_VOICE } from "../words/page-voice.ts";

const SIGNS: Readonly<Record<SessionStatus, string>> = {
  running: "●",
  waiting: "◆",
  idle: "○",
  stalled: "▲",
  completed: "✓",
  failed: "✕",
  cancelled: "–",
  timeout: "✕",
  ended: "–",
};

/** The status of a session as text, with a sign and a color of the same meaning. */
export function StatusLabel({ status }: { readonly status: SessionStatus }): ReactNode {
  const { words, tone } = describeStatus(status, PAGE_VOICE);
  return (
    <span className={`status ${tone === "plain" ? "calm" : tone}`}>
      <span aria-hidden="true">{SIGNS[status]} </span>
      {words}
    </span>
  );
}
