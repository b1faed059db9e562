import type { IncomingMessage, ServerResponse } from "node:http";
import { EarshotError, type JsonObject } from "@earshot/protocol";
import { SESSION_STOP } from "../extension.ts";
import type { Principal } from "../producer/producer-ports.ts";
import { readMessage, type SubscriberMessage } from "../producer/read-message.ts";
import { DEFAULT_PREFIX, type HttpBindingPorts } from "./binding.ts";
import {
  ANSWERED_ON_STREAM,
  type CorsOptions,
  type HttpAnswer,
  isPreflight,
  NO_CONTENT,
  problemAnswer,
  rejectionAnswer,
  sendCorsHeaders,
  toPublicProblem,
  toRejection,
  writeHttpAnswer,
} from "./http-answers.ts";
import { HttpStreams } from "./http-streams.ts";
import { readBody, readOptionalBody } from "./read-body.ts";

export type HttpBindingOptions = HttpBindingPorts & CorsOptions;

export const MANIFEST_PATH = "/.well-known/aaep-manifest.json";

const METHODS = {
  subscriptions: "POST",
  events: "GET",
  replies: "POST",
  messages: "POST",
  stop: "POST",
  manifest: "GET",
} as const;
type Route = keyof typeof METHODS;

const STOP = /^sessions\/(sess_[A-Za-z0-9]{1,64})\/stop$/;
const EVENT_ID = /^evt_[A-Za-z0-9]{1,64}$/;

/**
 * AAEP over HTTP and server-sent events, in both forms: `POST /subscriptions`, `GET /events?subscription_id=`, `POST /replies`; and `GET
 * /events` with `POST /messages`, where answers come on the stream. `?unnamed=1` sends frames that a page's `onmessage` receives. Works
 * in any Node server: `handles` tells whether a request is for it.
 */
export class HttpBinding {
  readonly #options: HttpBindingOptions;
  readonly #prefix: string;
  readonly #streams: HttpStreams;

  constructor(options: HttpBindingOptions) {
    this.#options = options;
    this.#prefix = options.prefix ?? DEFAULT_PREFIX;
    this.#streams = new HttpStreams(options.producer);
    options.producer.onClose(() => this.close());
  }

  handles(request: IncomingMessage): boolean {
    return this.#routeOf(request) !== undefined;
  }

  /** Answers the request; never rejects. Requests for other paths get 404. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const route = this.#routeOf(request);
    try {
      sendCorsHeaders(request, response, this.#options);
      const answer = await this.#answer(route, request, response);
      if (answer !== undefined) writeHttpAnswer(response, answer);
    } catch (error) {
      const problem = toPublicProblem(error);
      if (problem.code === "INTERNAL") this.#options.onFailure?.(error);
      // A subscription request is answered with the protocol's message.
      const rejection = route === "subscriptions" ? toRejection(problem) : undefined;
      writeHttpAnswer(response, rejection === undefined ? problemAnswer(problem) : rejectionAnswer(rejection));
    }
  }

  /** Ends all streams. */
  close(): void {
    this.#streams.close();
  }

  #routeOf(request: IncomingMessage): Route | undefined {
    const path = pathOf(request);
    if (path === MANIFEST_PATH) return "manifest";
    if (!path.startsWith(`${this.#prefix}/`)) return undefined;
    const rest = path.slice(this.#prefix.length + 1);
    if (rest === "events" || rest === "subscriptions" || rest === "replies" || rest === "messages") return rest;
    return STOP.test(rest) ? "stop" : undefined;
  }

  /** Undefined: the answer continues as a stream. */
  async #answer(route: Route | undefined, request: IncomingMessage, response: ServerResponse): Promise<HttpAnswer | undefined> {
    if (route === undefined) throw new EarshotError({ code: "NOT_FOUND", message: "There is nothing at this address." });
    const method = METHODS[route];
    if (isPreflight(request)) return { status: 204, headers: { "access-control-allow-methods": method } };
    if (request.method !== method) return problemAnswer({ code: "METHOD_NOT_ALLOWED", message: `${method} only.` }, { allow: method });
    if (route === "manifest") return this.#manifest(request, response);
    const principal = await this.#options.authorise(request);
    switch (route) {
      case "events":
        return this.#events(request, response, principal);
      case "subscriptions":
        return this.#subscribe(read(await this.#body(request)), principal);
      case "replies":
        return this.#reply(await this.#body(request), principal);
      case "messages":
        return this.#message(await this.#body(request), principal);
      case "stop":
        return this.#stop(request, await readOptionalBody(request), principal);
    }
  }

  async #body(request: IncomingMessage): Promise<JsonObject> {
    const body = await readBody(request);
    this.#options.onMessage?.(body);
    return body;
  }

  #manifest(request: IncomingMessage, response: ServerResponse): HttpAnswer | undefined {
    const { producer } = this.#options;
    const signed = /\bapplication\/jose\b/.test(request.headers.accept ?? "") ? producer.signedManifest() : undefined;
    if (signed === undefined) return { status: 200, body: producer.manifest(), headers: { vary: "accept, origin" } };
    response.writeHead(200, { "content-type": "application/jose", "cache-control": "no-store", vary: "accept, origin" }).end(signed);
    return undefined;
  }

  #events(request: IncomingMessage, response: ServerResponse, principal: Principal): HttpAnswer | undefined {
    const { producer } = this.#options;
    const query = new URL(request.url ?? "", "http://localhost").searchParams;
    const id = query.get("subscription_id");
    const header = request.headers["last-event-id"];
    // Browsers send the id they were given; other clients may send anything, and an invalid id was never given out.
    const lastEventId = typeof header === "string" && EVENT_ID.test(header) ? header : undefined;
    const isNamed = !["", "1", "true"].includes(query.get("unnamed") ?? "0");
    if (id === null) {
      if (!producer.allowsImplicit) {
        throw new EarshotError({ code: "WRONG_QUERY", message: "subscription_id is missing: POST a subscription.request first." });
      }
      const refused = this.#streams.openImplicitly(response, principal, { lastEventId, isNamed });
      return refused === undefined ? undefined : rejectionAnswer(refused);
    }
    const subscription = producer.find(id, principal);
    if (subscription === undefined || !principal.mayRead) throw unknownSubscription();
    this.#streams.open(response, subscription, { lastEventId, isNamed });
    return undefined;
  }

  #subscribe(said: SubscriberMessage, principal: Principal): HttpAnswer {
    if (said.type !== "subscription.request") throw unexpected("A subscription.request is expected here.");
    const outcome = this.#options.producer.subscribe(said, principal, { isResumable: true });
    if (!outcome.ok) return rejectionAnswer(outcome.rejected);
    const location = `${this.#prefix}/events?subscription_id=${outcome.subscription.id}`;
    return { status: 201, body: outcome.accepted, headers: { location } };
  }

  #reply(body: JsonObject, principal: Principal): HttpAnswer {
    const { producer } = this.#options;
    const isImplicit = this.#streams.newest(principal) !== undefined;
    // Examples of the protocol omit the id, and without a handshake there is none.
    const said = read(isImplicit && body["subscription_id"] === undefined ? { ...body, subscription_id: "sub_none" } : body);
    switch (said.type) {
      case "confirmation.reply":
      case "clarification.reply":
        // Its effect shows in the next event, not in this answer.
        producer.reply(said, principal, isImplicit ? "implicit" : "handshake");
        return NO_CONTENT;
      case "subscription.renegotiate": {
        const outcome = producer.renegotiate(said, principal);
        if (outcome === undefined) throw unknownSubscription();
        return outcome.ok ? { status: 200, body: outcome.accepted } : rejectionAnswer(outcome.rejected);
      }
      case "subscription.close": {
        const subscription = producer.find(said.subscription_id, principal);
        if (subscription === undefined) throw unknownSubscription();
        producer.end(subscription, "closed");
        return NO_CONTENT;
      }
      case "subscription.request":
      case "other":
        throw unexpected("Replies, subscription.renegotiate and subscription.close are expected here.");
    }
  }

  /** Any message; the answer goes to the newest stream of the same credential. */
  #message(body: JsonObject, principal: Principal): HttpAnswer {
    const open = this.#streams.newest(principal);
    if (open === undefined) return this.#messageBeforeStream(body, principal);
    const received = open.connection.receive(body);
    if (received.kind === "refused") throw new EarshotError(received.problem);
    if (received.kind === "taken") return NO_CONTENT;
    open.sendMessage(received.message);
    return ANSWERED_ON_STREAM;
  }

  #messageBeforeStream(body: JsonObject, principal: Principal): HttpAnswer {
    const { producer } = this.#options;
    const said = read(body);
    const { head } = producer;
    if (said.type === "subscription.request") {
      if (!producer.allowsImplicit) return this.#subscribe(said, principal);
      this.#streams.expect(principal, { receive: body }, head);
      return ANSWERED_ON_STREAM;
    }
    if (said.type !== "other") return this.#reply(body, principal);
    const outcome = producer.other(body, principal);
    if (outcome === undefined) throw unexpected("This message is not understood here.");
    this.#streams.expect(principal, outcome.control === undefined ? undefined : { tell: outcome.control }, head);
    return ANSWERED_ON_STREAM;
  }

  #stop(request: IncomingMessage, body: JsonObject, principal: Principal): HttpAnswer {
    const session = STOP.exec(pathOf(request).slice(this.#prefix.length + 1))?.[1] ?? "";
    const { reason } = body;
    const message = { type: SESSION_STOP, session_id: session, ...(typeof reason === "string" ? { reason } : {}) };
    if (this.#options.producer.other(message, principal) === undefined) throw unexpected("Sessions cannot be stopped here.");
    return ANSWERED_ON_STREAM;
  }
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? "").split("?", 1)[0] ?? "";
}

/** Reports an invalid form, but nothing about tokens. */
function read(body: JsonObject): SubscriberMessage {
  const reading = readMessage(body);
  if (!reading.ok) throw new EarshotError(reading.problem);
  return reading.said;
}

function unexpected(message: string): EarshotError {
  return new EarshotError({ code: "MESSAGE_INVALID", message });
}

function unknownSubscription(): EarshotError {
  return new EarshotError({ code: "NOT_FOUND", message: "There is no such subscription." });
}
