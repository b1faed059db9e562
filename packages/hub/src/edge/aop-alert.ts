import type { Alert } from "../views/views.ts";

/** An alert as the official collector tells it: names and types are its own. */
export interface AopAlert {
  readonly session_id: string;
  readonly type: Alert["type"];
  readonly message: string;
  readonly severity: Alert["severity"];
  /** ISO, with its zone; by the hub's clock. */
  readonly created_at: string;
}

export function toAopAlert({ sessionId, type, message, severity, at }: Alert): AopAlert {
  return { session_id: sessionId, type, message, severity, created_at: new Date(at).toISOString() };
}
