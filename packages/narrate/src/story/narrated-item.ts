import type { Activity } from "@earshot/protocol/activities";
import type { TokenNumbers } from "../amounts.ts";

/** A tool call as joined by the hub's views, limited to the members used here. */
export interface NarratedCall {
  readonly tool: string;
  readonly callId?: string;
  readonly subject?: string;
  readonly state: string;
  readonly durationMs?: number;
  /** Whether the hub measured the duration instead of the agent reporting it. */
  readonly measured: boolean;
  /** JSON, possibly cut. */
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
  /** The position it refers to, if another one. */
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
