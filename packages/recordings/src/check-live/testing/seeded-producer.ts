import { generateKeyPairSync, sign } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CORE_CONTEXT, isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import { DEFAULT_PROMPTS } from "../situations.ts";
import type { Defect } from "./defects.ts";
import { newSeededId, SeededAgent } from "./seeded-agent.ts";
import { SeededDelivery } from "./seeded-delivery.ts";

export interface SeededProducer extends AsyncDisposable {
  /** The URL before `/events`. */
  readonly url: string;
  /** Headers its callers must send. */
  readonly headers: Readonly<Record<string, string>>;
}

const PREFIX = "/aaep/v1";
const TOKEN = "Bearer seeded";
const KEY = generateKeyPairSync("ec", { namedCurve: "P-256" });

/** A level 3 producer over HTTP, minimal and written by hand, with at most one defect. */
export async function startSeededProducer(defect?: Defect): Promise<SeededProducer> {
  const log: { readonly event: JsonObject; readonly id: string }[] = [];
  const subscriptions = new Map<string, SeededDelivery>();
  const streams = new Set<ServerResponse>();
  const held: JsonObject[] = [];
  const publish = (): void => {
    const isStopped = () => defect === "deaf-stops-all" && [...streams].some(({ writableNeedDrain }) => writableNeedDrain);
    for (let event = held[0]; event !== undefined && !isStopped(); event = held[0]) {
      held.shift();
      log.push({ event, id: String(event["event_id"]) });
      for (const one of subscriptions.values()) one.send(event);
    }
  };
  const agent = new SeededAgent(
    defect,
    (event) => {
      held.push(event);
      publish();
    },
    () => [...subscriptions.values()].some((one) => one.answers),
  );
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const url = new URL(request.url ?? "/", "http://seeded");
    const path = url.pathname;
    const isReply = path === `${PREFIX}/replies`;
    const isKnown = request.headers.authorization === TOKEN || path === "/.well-known/aaep-manifest.json";
    if (!isKnown && !(isReply && defect === "stranger-honoured")) return end(response, 401);
    if (path === "/.well-known/aaep-manifest.json")
      return defect === "no-manifest" ? end(response, 404) : end(response, 200, manifestOf(defect));
    if (path === `${PREFIX}/world`) return end(response, 200, agent.effects.slice());
    if (path === `${PREFIX}/events`) return listen(url, request, response);
    const body = JSON.parse(await text(request)) as JsonObject;
    if (path === `${PREFIX}/subscriptions`) return subscribe(body, response);
    if (path === `${PREFIX}/messages`) {
      void agent.run(situationOf(String(body["text"])), String(body["text"]));
      return end(response, 202);
    }
    return isReply ? reply(body, response) : end(response, 404);
  }

  function subscribe(request: JsonObject, response: ServerResponse): unknown {
    if (defect === "handshake-silent") return undefined; // and the connection stays open
    const asked = isObject(request["capabilities"]) ? request["capabilities"] : {};
    const version = String(request["aaep_version"]);
    if (!version.startsWith("1.") && defect !== "any-version") return reject(response, "version_unsupported");
    const demands = asked["accept_signed_manifests_only"] === true;
    const id = newSeededId("sub");
    const honored = honour(asked);
    subscriptions.set(id, new SeededDelivery(honored, defect, () => subscriptions.values()));
    const signed = demands && defect !== "signature-missing" ? { signed_manifest: signedManifest(defect === "signature-wrong") } : {};
    return end(
      response,
      201,
      accepted(id, honored, defect === "any-version" ? version : "1.0.0", signed),
      `${PREFIX}/events?subscription_id=${id}`,
    );
  }

  function honour(asked: JsonObject): JsonObject {
    const known = Object.fromEntries(
      Object.entries(asked).filter(([key, value]) => key !== "supported_extensions" && (KNOWN.has(key) || !isObject(value))),
    );
    const { languages } = known;
    const spoken = Array.isArray(languages) ? languages.filter((one) => one !== "tlh") : [];
    const { languages: _, ...rest } = known;
    const looser = defect === "honours-more-than-asked" ? { supports_clarification_reply: true, max_events_per_second: 1000 } : {};
    // An unsupported language is remembered, so that the defect about it can be recognized.
    const strange = defect === "language-drops" && spoken.length === 0 && Array.isArray(languages) ? { languages } : {};
    return { ...rest, ...(spoken.length === 0 ? strange : { languages: spoken }), ...looser };
  }

  function reply(message: JsonObject, response: ServerResponse): unknown {
    const id = String(message["subscription_id"]);
    const one = subscriptions.get(id);
    if (message["type"] === "subscription.close") {
      if (one !== undefined) one.closed = true;
      agent.unattended();
      return end(response, 204);
    }
    if (message["type"] === "subscription.renegotiate") {
      if (one === undefined) return end(response, 404);
      if (defect === "renegotiation-silent") return end(response, 204);
      const before = defect === "renegotiation-resets" ? {} : one.terms;
      const honored = { ...before, ...honour(isObject(message["capabilities"]) ? message["capabilities"] : {}) };
      if (defect !== "renegotiation-ignored") one.terms = honored;
      return end(response, 200, accepted(id, honored, "1.0.0", {}));
    }
    const failed = agent.reply(message);
    if (failed !== undefined && defect === "tells-which-check-failed") return end(response, 400, { error: failed });
    return end(response, 204);
  }

  function listen(url: URL, request: IncomingMessage, response: ServerResponse): unknown {
    const id = url.searchParams.get("subscription_id");
    const one = id === null ? implicit() : subscriptions.get(id);
    if (one === undefined) return end(response, 404);
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    response.flushHeaders();
    const wire = (data: string, eventId: string) => response.write(`event: aaep.event\nid: ${eventId}\ndata: ${data}\n\n`);
    const last = request.headers["last-event-id"];
    if (typeof last === "string") catchUp(last, wire);
    streams.add(response.on("drain", publish));
    one.attach(wire);
    return response.on("close", () => {
      streams.delete(response);
      one.detach();
    });
  }

  function implicit(): SeededDelivery {
    const one = new SeededDelivery({ supports_confirmation_reply: true }, defect);
    subscriptions.set(newSeededId("sub"), one);
    return one;
  }

  function catchUp(last: string, wire: (data: string, id: string) => void): void {
    const at = log.findIndex((one) => one.id === last);
    if (at < 0) {
      if (defect !== "resume-says-nothing")
        for (const [session, state] of agent.states) wire(JSON.stringify(standing(session, state)), newSeededId("evt"));
      return;
    }
    for (const { event, id } of log.slice(at + (defect === "resume-with-gap" ? 3 : 1))) wire(JSON.stringify(event), id);
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${PREFIX}`,
    headers: { authorization: TOKEN },
    async [Symbol.asyncDispose]() {
      agent.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const KNOWN: ReadonlySet<string> = new Set(["event_filters"]);

const MANIFEST: JsonObject = {
  "@context": CORE_CONTEXT,
  type: "aaep:producer.manifest",
  agent_id: "seeded",
  aaep_versions_supported: ["1.0.0"],
  conformance_levels_supported: [1, 2, 3],
  transports_supported: ["sse"],
};

function manifestOf(defect: Defect | undefined): JsonObject {
  if (defect === "manifest-hides-types") return { ...MANIFEST, event_types_emitted: ["aaep:agent.session.*"] };
  if (defect === "manifest-adds-language") return { ...MANIFEST, languages_supported: ["en", "fr"] };
  if (defect === "manifest-hides-levels") return { ...MANIFEST, conformance_levels_supported: [1] };
  return defect === "manifest-hides-transport" ? { ...MANIFEST, transports_supported: ["stdio-jsonrpc"] } : MANIFEST;
}

function signedManifest(isWrong: boolean): string {
  const encode = (value: JsonObject) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const header = encode({ alg: "ES256", jwk: KEY.publicKey.export({ format: "jwk" }) as JsonObject });
  const payload = encode(MANIFEST);
  const signature = sign("sha256", Buffer.from(`${header}.${payload}`), { key: KEY.privateKey, dsaEncoding: "ieee-p1363" });
  return `${header}.${isWrong ? encode({ ...MANIFEST, agent_name: "Changed afterwards" }) : payload}.${signature.toString("base64url")}`;
}

function accepted(id: string, honored: JsonObject, version: string, more: JsonObject): JsonObject {
  return {
    type: "subscription.accepted",
    subscription_id: id,
    aaep_version: version,
    producer: { agent_id: "seeded" },
    honored_capabilities: honored,
    ...more,
  };
}

function reject(response: ServerResponse, reason: string): unknown {
  return end(response, 409, { type: "subscription.rejected", reason_code: reason, reason_message: "Not with these terms." });
}

function standing(session: string, state: string): JsonObject {
  return {
    "@context": CORE_CONTEXT,
    type: "aaep:agent.state.changed",
    event_id: newSeededId("evt"),
    session_id: session,
    timestamp: new Date().toISOString(),
    producer: { agent_id: "seeded" },
    localization_hints: { primary_language: "en" },
    from_state: state,
    to_state: state,
    summary_normal: `The session is ${state}.`,
  };
}

function situationOf(words: string): string {
  const found = Object.entries(DEFAULT_PROMPTS).find(([, text]) => text === words || words.startsWith(text.split("{secret}")[0] ?? text));
  return found?.[0] ?? "chat";
}

function end(response: ServerResponse, status: number, body?: JsonValue, location?: string): unknown {
  const headers = { "content-type": "application/json", ...(location === undefined ? {} : { location }) };
  return response.writeHead(status, headers).end(body === undefined ? undefined : JSON.stringify(body));
}

async function text(request: IncomingMessage): Promise<string> {
  let all = "";
  for await (const chunk of request) all += String(chunk);
  return all;
}
