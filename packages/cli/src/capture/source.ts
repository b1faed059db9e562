import { createReadStream } from "node:fs";
import { LineSplitter } from "@earshot/hub/splitters";
import type { JsonObject, SubscriptionRequest } from "@earshot/protocol";
import { VERSION } from "../version.ts";

export type SourceKind = "hub" | "aaep" | "aop" | "command";

/**
 * Where events are captured from. It is pulled: nothing is read ahead of what was taken by more than a buffer, so that a
 * slow disk makes the source wait. After a cut it comes back by itself, as exactly as its kind allows; what comes twice
 * because of that is left out by whoever writes.
 */
export interface Source {
  readonly kind: SourceKind;
  /** As people are told of it, without what may be secret in it. */
  readonly name: string;
  /** Where another capture goes on, where a source knows of a later place than its last batch. */
  readonly place?: JsonObject | undefined;
  /** What it says, from where an earlier capture stopped, until it is over or the signal is given. Throws where waiting mends nothing. */
  hear(from: Earlier | undefined, news: SourceNews, signal: AbortSignal): AsyncGenerator<Batch>;
}

/** What an earlier capture left. */
export interface Earlier {
  /** Where it says that it stopped; it may have written more before it was killed. */
  readonly resume: JsonObject | undefined;
  /** The first event that it wrote. */
  readonly first: string | undefined;
}

/** Some of what was said, in its order. */
export interface Batch {
  /** JSON, as it was said. */
  readonly texts: readonly string[];
  /** Called once everything in this batch and before it is written: gives where another capture goes on. */
  readonly settle: () => JsonObject | undefined;
  /** Everything was told that was there when the capture began: what follows is new. */
  readonly isCaughtUp?: boolean;
}

/** What a source tells beside the events. */
export interface SourceNews {
  /** The connection is gone, and is tried again. */
  readonly cut: (why: string) => void;
  readonly back: () => void;
  /** Something that whoever reads the recording should know. */
  readonly note: (what: string) => void;
}

/** What is shown to a source, found out each time: the credential of the user's own hub is known once that hub answers. */
export type Headers = () => Promise<Readonly<Record<string, string>>>;

/** How long to wait before connecting again: at first, and at most. */
export const FIRST_PAUSE_MS = 250;
export const LONGEST_PAUSE_MS = 5000;

/**
 * What a capture asks of a producer: everything, unshaped. It answers nothing and says so: a producer must not take it for
 * a person who does.
 */
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

/** Longer lines are no events. */
export const LONGEST_LINE = 16 * 1024 * 1024;

/** The lines of a recording between two bytes, at which lines begin. */
export async function reread(path: string, from: number, to: number, hear: (text: string) => void): Promise<void> {
  if (from >= to) return;
  const lines = new LineSplitter({ hear, refuse: () => {} }, { maxBytes: LONGEST_LINE });
  for await (const chunk of createReadStream(path, { start: from, end: to - 1 }) as AsyncIterable<Buffer>) lines.write(chunk);
  lines.end();
}
