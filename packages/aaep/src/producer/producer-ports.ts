import type {
  ClarificationReply,
  ConfirmationReply,
  JsonObject,
  Manifest,
  SubscriptionAccepted,
  SubscriptionRejected,
} from "@earshot/protocol";
import type { Feed } from "../feed.ts";
import type { Boundary, Terms } from "../terms.ts";

/** The peer as the transport authenticated it. A subscription id never proves anything. */
export interface Principal {
  /** Equal for all connections with one credential. */
  readonly id: string;
  readonly name: string;
  readonly mayRead: boolean;
  /** Whether its replies take effect. */
  readonly mayReply: boolean;
}

export interface ReplyOrigin {
  readonly principal: Principal;
  /** The subscription of the reply; undefined without a handshake. */
  readonly subscriptionId: string | undefined;
}

/** Everything in which the hub differs from an agent that serves itself. */
export interface ProducerPorts {
  readonly feed: Feed;
  /** Called for each handshake. */
  readonly offer: () => ProducerOffer;
  readonly manifest: () => Manifest;
  /**
   * Handles a valid reply of an authorized sender. The sender learns nothing directly: the next event shows the effect. Must not throw.
   */
  readonly reply: (reply: ConfirmationReply | ClarificationReply, from: ReplyOrigin) => void;
  /**
   * Called on changes with the number of live subscriptions that can answer each kind. `isFinal`: a subscription was closed, and no other
   * is expected back.
   */
  readonly attended?: (who: { readonly confirmations: number; readonly clarifications: number }, isFinal: boolean) => void;
  /**
   * Handles messages outside AAEP: `{kind: "user_input"}` of test drivers, and the extension that stops a session. Undefined: refused as
   * not understood. `control` is sent on the stream before its consequences.
   */
  readonly other?: (message: JsonObject, from: Principal) => { readonly control?: JsonObject } | undefined;
  /** Whether streams without a handshake are served with default terms. */
  readonly allowsImplicit: boolean;
  readonly maxSubscriptions: number;
  /** Stores subscriptions beyond this process, so that they can be resumed after a restart. */
  readonly keeper?: SubscriptionKeeper;
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number;
  readonly now: () => number;
  /** `sub_…`, `evt_…`: a prefix and at least 128 random bits in letters and digits. */
  readonly newId: (prefix: "sub" | "evt") => string;
  /** Calls back after a delay. Returns the function that cancels it. */
  readonly after: (ms: number, call: () => void) => () => void;
  readonly onFailure: (error: unknown) => void;
}

/** Bounded: the oldest unused ones are dropped. */
export interface SubscriptionKeeper {
  keep(subscription: KeptSubscription): void;
  find(id: string): KeptSubscription | undefined;
  forget(id: string): void;
}

export interface KeptSubscription {
  readonly id: string;
  readonly principal: string;
  readonly requested: JsonObject;
  readonly honored: JsonObject;
}

/** The capabilities a producer offers. */
export interface ProducerOffer {
  readonly producer: SubscriptionAccepted["producer"];
  /** Newest first: `1.0.0`. */
  readonly versions: readonly string[];
  readonly levels: readonly (1 | 2 | 3)[];
  /** Undefined: it passes on its agents' languages and promises any. */
  readonly languages?: readonly string[];
  readonly maxEventsPerSecond?: number;
  readonly boundaries: readonly Boundary[];
  /** URIs. */
  readonly extensions: readonly string[];
  /** The prefix of an extension's data, by URI: two with one prefix cannot be distinguished. */
  readonly extensionPrefixes?: Readonly<Record<string, string>>;
  readonly takesConfirmations: boolean;
  readonly takesClarifications: boolean;
  readonly manifestUri?: string;
  /** Compact JWS; undefined if unsigned. */
  readonly signedManifest?: string;
}

export type Negotiation =
  | { readonly ok: true; readonly accepted: SubscriptionAccepted; readonly terms: Terms }
  | { readonly ok: false; readonly rejected: SubscriptionRejected };
