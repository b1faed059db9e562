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

/** Who is at the other end, as the transport knows it. An id of a subscription is never a proof. */
export interface Principal {
  /** The same for all connections of one holder of a credential. */
  readonly id: string;
  readonly name: string;
  readonly mayRead: boolean;
  /** Whether its replies count. */
  readonly mayReply: boolean;
}

export interface ReplyFrom {
  readonly principal: Principal;
  /** The subscription that the reply came over; undefined without a handshake. */
  readonly subscriptionId: string | undefined;
}

/** What a producer is made of: everything that differs between the hub and an agent that serves itself. */
export interface ProducerPorts {
  readonly feed: Feed;
  /** Asked for each handshake. */
  readonly offer: () => Offer;
  readonly manifest: () => Manifest;
  /**
   * A reply of the right form from somebody who may reply. Whatever becomes of it, the sender is told nothing: the next
   * event shows it. Must not throw.
   */
  readonly reply: (reply: ConfirmationReply | ClarificationReply, from: ReplyFrom) => void;
  /**
   * Told whenever it changes: how many live subscriptions can answer each kind. `isFinal`: somebody has closed a subscription,
   * and nobody else is expected back.
   */
  readonly attended?: (who: { readonly confirmations: number; readonly clarifications: number }, isFinal: boolean) => void;
  /**
   * What is no message of AAEP: `{kind: "user_input"}` of test drivers, the extension that stops a session. Undefined: it is
   * refused as not understood. `control` is sent on the stream before anything that follows from it.
   */
  readonly other?: (message: JsonObject, from: Principal) => { readonly control?: JsonObject } | undefined;
  /** Whether a stream without a handshake is served, with the defaults. */
  readonly allowsImplicit: boolean;
  readonly maxSubscriptions: number;
  /** Remembers subscriptions beyond this process, so that they can be resumed after a restart. */
  readonly keeper?: SubscriptionKeeper;
  /** Milliseconds that only grow. */
  readonly monotonic: () => number;
  readonly now: () => number;
  /** `sub_…`, `evt_…`: a prefix and at least 128 random bits in letters and digits. */
  readonly newId: (prefix: "sub" | "evt") => string;
  /** Calls back after so many milliseconds. Returns how to call it off. */
  readonly after: (ms: number, call: () => void) => () => void;
  readonly onFailure: (error: unknown) => void;
}

/** Bounded: the oldest that nobody uses go first. */
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
