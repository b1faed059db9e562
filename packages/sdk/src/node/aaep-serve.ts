import { createServer, type Server } from "node:http";
import { AaepProducer, createManifest, EARSHOT_CONTEXT, LogFeed, type ProducerOffer, SESSION_STOP, signManifest } from "@earshot/aaep";
import {
  DEFAULT_PREFIX,
  HttpBinding,
  localSocketPath,
  MANIFEST_PATH,
  SOCKET_FRAMING,
  SocketBinding,
  serveStdio,
  WebSocketBinding,
} from "@earshot/aaep/node";
import { EarshotError, type JsonObject } from "@earshot/protocol";
import type { AgentParts } from "../aaep/aaep-agent.ts";
import type { WrittenEvent } from "../aaep/event-writer.ts";
import { waitForMs } from "../delivery/timers.ts";
import { AaepGate, isLoopbackHost, PRINCIPAL } from "./aaep-gate.ts";
import type { AaepEndpoint, ServeOptions } from "./aaep-serve-options.ts";

const MAX_SUBSCRIPTIONS = 256;
/** The final events must be sent before the connections close. */
const LAST_WORDS_MS = 100;
const NOBODY = { confirmations: 0, clarifications: 0 };

let endpoints = 0;

/** Serves the events of an agent and takes answers to its questions. `said` holds the events so far. */
export async function serveAaep(parts: AgentParts, said: readonly WrittenEvent[], options: ServeOptions): Promise<AaepEndpoint> {
  const { host = "127.0.0.1", path: prefix = DEFAULT_PREFIX, token, allowOrigins = [] } = options;
  if (!isLoopbackHost(host) && token === undefined) {
    throw new EarshotError({ code: "WRONG_USAGE", message: "An agent that is served beyond this machine needs a token." });
  }
  const hasHttp = options.port !== undefined || (options.socket === undefined && options.stdio !== true);
  const gate = new AaepGate({ host, token, allowOrigins });
  const server = hasHttp ? await listen(createServer(), host, options.port ?? 0) : undefined;
  const port = portOf(server);
  const origin = port === undefined ? undefined : `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const socketPath = options.socket === undefined || options.socket === false ? undefined : toSocketPath(options.socket, parts.agentId);

  const feed = new LogFeed();
  for (const { event, text } of said) feed.append(event, text);
  const unlisten = parts.listen(({ event, text }) => feed.append(event, text));
  const offer = createOffer(parts, origin);
  const manifest = createManifest(offer, {
    transports: [
      ...(hasHttp ? ["sse", "websocket"] : []),
      ...(socketPath === undefined ? [] : [socketKind()]),
      ...(options.stdio === true ? ["stdio-jsonrpc"] : []),
    ],
    maxSubscriptions: options.maxSubscriptions ?? MAX_SUBSCRIPTIONS,
    multiAgent: "linked-sessions",
    ...(origin === undefined ? {} : { prefix, endpoint: origin + prefix }),
    ...(socketPath === undefined ? {} : { socket: { path: socketPath, framing: SOCKET_FRAMING } }),
  });
  const signedManifest = options.signingKey === undefined ? undefined : await signManifest(manifest, options.signingKey);
  const way = `served-${++endpoints}`;
  const producer = new AaepProducer({
    feed,
    offer: () => (signedManifest === undefined ? offer : { ...offer, signedManifest }),
    manifest: () => manifest,
    reply: (reply) => parts.questions.reply(reply),
    attended: (who, isFinal) => parts.questions.attend(way, who, isFinal),
    other: (message) => hearOther(message, parts, options),
    allowsImplicit: options.allowImplicit ?? true,
    maxSubscriptions: options.maxSubscriptions ?? MAX_SUBSCRIPTIONS,
    monotonic: () => performance.now(),
    now: Date.now,
    newId: (kind) => parts.newId(kind),
    after(ms, call) {
      const timer = setTimeout(call, ms);
      return () => clearTimeout(timer);
    },
    onFailure: () => {}, // a listener that fails is the listener's; the agent goes on
  });
  const bindings = {
    ...{ producer, prefix },
    authorise: (request: Parameters<AaepGate["authorise"]>[0]) => gate.authorise(request),
    allowOrigin: (from: string) => gate.allowsOrigin(from),
  };
  if (server !== undefined) {
    const http = new HttpBinding(bindings);
    new WebSocketBinding(bindings).attach(server);
    server.on("request", (request, response) => void http.handle(request, response));
  }
  if (socketPath !== undefined) {
    await new SocketBinding({ producer, path: socketPath, authorise: (first) => gate.authoriseFirst(first) }).listen();
  }
  if (options.stdio === true) serveStdio({ producer, principal: PRINCIPAL, input: process.stdin, output: process.stdout });

  let closing: Promise<void> | undefined;
  const stop = async () => {
    if (producer.attached > 0) await waitForMs(LAST_WORDS_MS);
    unlisten();
    producer.close();
    parts.questions.attend(way, NOBODY);
    if (server === undefined) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    await Promise.race([closed, waitForMs(LAST_WORDS_MS)]);
    server.closeAllConnections();
  };
  const close = () => {
    closing ??= stop();
    return closing;
  };
  parts.onClose(close);
  const url = origin === undefined ? undefined : origin + prefix;
  return {
    ...{ url, port, socketPath, close },
    get subscriptions() {
      return producer.size;
    },
    [Symbol.asyncDispose]: close,
  };
}

function createOffer({ producer, language }: AgentParts, origin: string | undefined): ProducerOffer {
  return {
    producer,
    versions: ["1.0.0"],
    levels: [1, 2, 3],
    languages: [language],
    boundaries: ["none", "word", "sentence", "paragraph", "completion"],
    extensions: [EARSHOT_CONTEXT],
    takesConfirmations: true,
    takesClarifications: true,
    ...(origin === undefined ? {} : { manifestUri: origin + MANIFEST_PATH }),
  };
}

/** Stops a session for a person; the next event shows whether it existed. */
function hearOther(message: JsonObject, parts: AgentParts, { onMessage }: ServeOptions): { readonly control?: JsonObject } | undefined {
  const { type, session_id: session, reason } = message;
  if (type !== SESSION_STOP) return onMessage?.(message);
  if (typeof session === "string") parts.stop(session, typeof reason === "string" ? reason : undefined);
  return {};
}

function listen(server: Server, host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const message = `Port ${port} of ${host} cannot be had: ${error.code ?? error.message}.`;
      reject(new EarshotError({ code: "PORT_TAKEN", message }, { cause: error }));
    });
    server.listen(port, host, () => resolve(server));
  });
}

function portOf(server: Server | undefined): number | undefined {
  const address = server?.address();
  return typeof address === "object" && address !== null ? address.port : undefined;
}

function toSocketPath(given: true | string, agentId: string): string {
  return typeof given === "string" ? given : localSocketPath(agentId);
}

function socketKind(): string {
  return process.platform === "win32" ? "named-pipe" : "unix-socket";
}
