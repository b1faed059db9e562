import type { Activity } from "@earshot/protocol/activities";
import type { TokenNumbers } from "../amounts.ts";

/** A tool call as the hub's views join it, as far as it is described. */
export interface NarratedCall {
  readonly tool: string;
  readonly callId?: string;
  readonly subject?: string;
  readonly state: string;
  readonly durationMs?: number;
  /** Whether the duration was measured by the hub instead of reported. */
  readonly measured: boolean;
  /** JSON, or the beginning of a JSON text that was too long. */
  readonly input?: string;
  readonly result?: string;
  readonly error?: string;
  readonly metadata?: string;
  readonly decidedBy?: string;
  readonly reason?: string;
  readonly marks: readonly string[];
  readonly costUsd?: number;
  readonly tokens?: TokenNumbers;
}

export interface NarratedOutput {
  readonly text: string;
  readonly complete: boolean;
  readonly gaps: boolean;
  readonly cut: boolean;
  readonly contentType?: string;
  readonly language?: string;
}

export interface NarratedAlert {
  readonly type: string;
  readonly severity: "warning" | "critical";
  readonly message: string;
  readonly rule?: string;
}

export interface NarratedFlag {
  readonly severity: string;
  readonly code: string;
  readonly message: string;
  readonly rule?: string;
  /** The position that it is about, where that is another one. */
  readonly at?: number;
}

/** One item of a session's story. */
export interface NarratedItem {
  readonly position: number;
  readonly receivedAt: number;
  readonly activity: Activity;
  readonly call?: NarratedCall;
  readonly output?: NarratedOutput;
  readonly continues?: number;
  readonly flags: readonly NarratedFlag[];
  readonly alerts: readonly NarratedAlert[];
  readonly redactions: number;
}
