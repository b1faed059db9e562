import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { AaepProducer, EARSHOT_PREFIX, type Principal, signManifest } from "@earshot/aaep";
import { HttpBinding, SocketBinding, WebSocketBinding } from "@earshot/aaep/node";
import { isObject, type JsonObject } from "@earshot/protocol";
import type { HubHome } from "../home.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { RequestEngine } from "../requests/engine.ts";
import type { Views } from "../views/views.ts";
import { HubFeed } from "./hub-feed.ts";
import { createHubManifest, createOffer, type HubIdentity, keyIdOf, publicHalf, takeManifestKey } from "./hub-manifest.ts";
import { HubReplies, isSessionStop, stopSubscribedSession } from "./hub-replies.ts";
import { ServedEntries } from "./served-entries.ts";
import { RunningSessions } from "./sessions-now.ts";
import { SubscriptionFile } from "./subscription-file.ts";

export interface OpenAaepOptions {
  readonly home: HubHome;
  readonly ledger: Ledger;
  readonly views: Pick<Views, "sessions" | "caughtUp">;
  readonly engine: RequestEngine;
  /** Key of request ids, shared with the engine. */
  readonly secret: string;
  readonly identity: () => HubIdentity;
  /** The sender of an authorized request. */
  readonly principalOf: (request: IncomingMessage) => Principal;
  /** The sender of a WebSocket request; throws a problem if unauthorized. */
  readonly authorise: (request: IncomingMessage) => Principal;
  /** The peer of the socket by its credential; throws a problem if unauthorized. */
  readonly admit: (credential: string | undefined, peer: Duplex) => Principal;
  readonly now: () => number;
  readonly onFailure: (error: unknown) => void;
}

/** The hub as an AAEP producer with its bindings. */
export interface OpenAaep extends Disposable {
  readonly producer: AaepProducer;
  readonly http: HttpBinding;
  readonly webSocket: WebSocketBinding;
  readonly socket: SocketBinding;
  /** Number of connected subscriptions that may answer. */
  readonly attended: { readonly confirmations: number; readonly clarifications: number };
}

/** Loaded with the first subscriber, so that other hubs do not load it. */
export async function openAaep(ports: OpenAaepOptions): Promise<OpenAaep> {
  const { home, ledger, views, engine, secret, onFailure } = ports;
  const served = new ServedEntries(ledger, secret);
  const feed = await HubFeed.open({ ledger, served, sessions: new RunningSessions(ledger, views, served), secret });
  const replies = new HubReplies(engine, ledger, secret);
  const identity = ports.identity();
  const key = takeManifestKey(home.manifestKey);
  const unsigned = createOffer(identity);
  const manifest = createHubManifest(identity, unsigned, publicHalf(key));
  const offer = { ...unsigned, signedManifest: await signManifest(manifest, { key: { ...key }, keyId: keyIdOf(key) }) };
  let attended = { confirmations: 0, clarifications: 0 };
  const producer = new AaepProducer({
    feed,
    offer: () => offer,
    manifest: () => manifest,
    reply: (reply, from) => void replies.take(reply, from).catch(onFailure),
    attended: (who) => {
      attended = who;
    },
    other: (message, from) => {
      if (!isSessionStop(message)) return undefined;
      void stopSubscribedSession(message, from, { engine, ledger }).catch(onFailure);
      return {};
    },
    allowsImplicit: true,
    maxSubscriptions: identity.maxSubscriptions,
    keeper: new SubscriptionFile(home.subscriptions, onFailure),
    monotonic: () => performance.now(),
    now: ports.now,
    newId: (prefix) => `${prefix}_${randomBytes(16).toString("hex")}`,
    after: (ms, call) => {
      const timer = setTimeout(call, ms).unref();
      return () => clearTimeout(timer);
    },
    onFailure,
  });
  feed.onRemoved(() => producer.forget());
  const webSocket = new WebSocketBinding({ producer, authorise: ports.authorise, onFailure });
  const socket = new SocketBinding({
    producer,
    path: identity.socket ?? "",
    authorise: (first, peer) => ports.admit(tokenIn(first), peer),
    onFailure,
  });
  const http = new HttpBinding({ producer, authorise: ports.principalOf, onFailure });
  return {
    producer,
    http,
    webSocket,
    socket,
    get attended() {
      return attended;
    },
    [Symbol.dispose]() {
      producer.close();
      feed[Symbol.dispose]();
    },
  };
}

/** Being on this machine proves nothing: a peer names its credential in its first message. */
function tokenIn({ extensions }: JsonObject): string | undefined {
  const own = isObject(extensions) ? extensions[EARSHOT_PREFIX] : undefined;
  const token = isObject(own) ? own["token"] : undefined;
  return typeof token === "string" ? token : undefined;
}
