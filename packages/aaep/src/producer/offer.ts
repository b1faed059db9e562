import type { SubscriptionAccepted, SubscriptionRejected } from "../messages.ts";
import type { Boundary, Terms } from "../terms.ts";

/** What a producer can do for subscribers. */
export interface Offer {
  readonly producer: SubscriptionAccepted["producer"];
  /** The newest first: `1.0.0`. */
  readonly versions: readonly string[];
  readonly levels: readonly (1 | 2 | 3)[];
  /** Undefined: it passes on whatever its agents speak, and promises any. */
  readonly languages?: readonly string[];
  readonly maxEventsPerSecond?: number;
  readonly boundaries: readonly Boundary[];
  /** URIs. */
  readonly extensions: readonly string[];
  /** The prefix that the data of an extension stands under, by URI: two with one prefix cannot be told apart. */
  readonly extensionPrefixes?: Readonly<Record<string, string>>;
  readonly takesConfirmations: boolean;
  readonly takesClarifications: boolean;
  readonly manifestUri?: string;
  /** Compact JWS; undefined where nothing is signed. */
  readonly signedManifest?: string;
}

export type Negotiation =
  | { readonly ok: true; readonly accepted: SubscriptionAccepted; readonly terms: Terms }
  | { readonly ok: false; readonly rejected: SubscriptionRejected };
