import type { SubscriptionRequest } from "@earshot/protocol";
import { VERSION } from "@earshot/terminal/version";

/**
 * A source of events. It is pulled, so that a slow disk makes the source wait. It reconnects after a lost connection; the caller removes
 * repeated events.
 */
export interface CaptureSource {
  /** The displayed name, without possible secrets. */
  readonly name: string;
  /** A command reports its own progress. */
  readonly isCommand?: true;
  /** The events until the source ends or the signal aborts; an empty batch once connected. Throws permanent errors. */
  read(news: SourceNews, signal: AbortSignal): AsyncGenerator<CapturedBatch>;
}

/** Events in order. */
export interface CapturedBatch {
  /** JSON as it was sent. */
  readonly texts: readonly string[];
  /** The history is complete: what follows is new. */
  readonly isCaughtUp?: boolean;
}

/** A source's reports beside the events. */
export interface SourceNews {
  /** The connection is lost and being retried. */
  readonly cut: (why: string) => void;
  readonly back: () => void;
  /** A note for readers of the recording. */
  readonly note: (what: string) => void;
}

/** The credential for a source, looked up for each connection. */
export type LoadHeaders = () => Promise<Readonly<Record<string, string>>>;

export const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** Requests everything, unshaped, and declares that nobody answers. */
export function toCaptureRequest({ isSigned }: { readonly isSigned: boolean }): SubscriptionRequest {
  return {
    type: "subscription.request",
    aaep_version: "1.0.0",
    subscriber_id: "earshot-capture",
    subscriber_name: "Earshot capture",
    subscriber_version: VERSION,
    capabilities: {
      supports_confirmation_reply: false,
      supports_clarification_reply: false,
      supported_conformance_levels: [1, 2, 3],
      coalesce_boundaries: ["none", "word", "sentence", "paragraph", "completion"],
      preferred_verbosity: "detailed",
      cognitive_load: "high",
      event_filters: { include: ["*"] },
      ...(isSigned ? { accept_signed_manifests_only: true } : {}),
    },
  };
}
