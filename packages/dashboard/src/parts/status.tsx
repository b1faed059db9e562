import type { SessionStatus } from "@earshot/hub";
import type { ReactNode } from "react";

const STATUSES: Readonly<Record<SessionStatus, { readonly words: string; readonly tone: string; readonly sign: string }>> = {
  running: { words: "Running", tone: "busy", sign: "●" },
  waiting: { words: "Waiting", tone: "warn", sign: "◆" },
  idle: { words: "Idle", tone: "calm", sign: "○" },
  stalled: { words: "Silent", tone: "warn", sign: "▲" },
  completed: { words: "Completed", tone: "good", sign: "✓" },
  failed: { words: "Failed", tone: "bad", sign: "✕" },
  cancelled: { words: "Cancelled", tone: "calm", sign: "–" },
  timeout: { words: "Timed out", tone: "bad", sign: "✕" },
  ended: { words: "Ended", tone: "calm", sign: "–" },
};

/** How a session stands: in words, with a sign and a colour that say the same. */
export function Status({ status }: { readonly status: SessionStatus }): ReactNode {
  const { words, tone, sign } = STATUSES[status];
  return (
    <span className={`status ${tone}`}>
      <span aria-hidden="true">{sign} </span>
      {words}
    </span>
  );
}
