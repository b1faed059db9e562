import type { SubscriptionRequest } from "@earshot/protocol";
import { VERSION } from "@earshot/terminal/version";

/**
 * Where events are captured from. It is pulled, so that a slow disk makes the source wait. After a cut it connects again; the caller
 * leaves out what comes twice because of that.
 */
export interface Source {
  /** As people are told of it, without what may be secret in it. */
  readonly name: string;
  /** A command reports its own progress. */
  readonly isCommand?: true;
  /** The events until the source ends or the signal is given; an empty batch once connected. Throws an error that waiting does not mend. */
  read(news: SourceNews, signal: AbortSignal): AsyncGenerator<Batch>;
}

/** Events in their order. */
export interface Batch {
  /** JSON, as it was sent. */
  readonly texts: readonly string[];
  /** The history is complete: what follows is new. */
  readonly isCaughtUp?: boolean;
}

/** What a source reports beside the events. */
export interface SourceNews {
  /** The connection is lost, and is tried again. */
  readonly cut: (why: string) => void;
  readonly back: () => void;
  /** Something that a reader of the recording should know. */
  readonly note: (what: string) => void;
}

/** The credential for a source, found anew for each connection. */
export type Headers = () => Promise<Readonly<Record<string, string>>>;

export const LONGEST_LINE_BYTES = 16 * 1024 * 1024;

/** Asks a producer for everything, unshaped, and says that nobody here answers requests. */
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
