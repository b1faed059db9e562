import { createHash } from "node:crypto";
import { join } from "node:path";
import { type AaepAgent, type AaepAgentOptions, type AgentParts, createAaepAgent } from "../aaep/aaep-agent.ts";
import { AaepSession } from "../aaep/aaep-session.ts";
import type { WrittenEvent } from "../aaep/event-writer.ts";
import type { AaepSessionOptions } from "../aaep/session-options.ts";
import type { AaepSessionPorts } from "../aaep/session-ports.ts";
import type { Platform } from "../delivery/platform.ts";
import { ownOptions } from "../plain/own.ts";
import { toAmount, toOptionalText } from "../plain/text.ts";
import type { AaepEndpoint, ServeOptions } from "./aaep-serve-options.ts";
import { DiskSpool } from "./disk-spool.ts";
import { namedUrl, readProducerToken, sharedHomeOf, socketOf } from "./home.ts";
import { watchProcess } from "./process-end.ts";
import { createRequest } from "./request.ts";

export interface AaepOptions extends AaepAgentOptions {
  /** Base address of a hub. Default: `EARSHOT_URL`, or this user's hub. `false`: no hub. */
  readonly hub?: string | false | undefined;
  /** The producer credential for a configured hub. Without it, events are stored and nobody is asked. */
  readonly token?: string | undefined;
  /** Maximum bytes on disk while no hub runs. 0: nothing is written. */
  readonly spoolBytes?: number | undefined;
}

const SPOOL_BYTES = 32 * 1024 * 1024;
const WAITING_CALLS = 256;

/** A session whose events can be served from here. */
export class ServedSession extends AaepSession {
  readonly #serve: (options: ServeOptions) => Promise<AaepEndpoint>;

  constructor(ports: AaepSessionPorts, options: AaepSessionOptions, serve: (options: ServeOptions) => Promise<AaepEndpoint>) {
    super(ports, options);
    this.#serve = serve;
  }

  /** As `serve` of its agent; includes earlier events. */
  serve(options: ServeOptions = {}): Promise<AaepEndpoint> {
    return this.#serve(options);
  }
}

export interface ServingAgent extends AaepAgent<ServedSession> {
  /** Serves the agent's events to subscribers and takes their answers, beside the hub or instead of it. */
  serve(options?: ServeOptions): Promise<AaepEndpoint>;
}

/** Events kept for later subscribers. */
const MAX_REMEMBERED = 1000;

/** Creates an agent that speaks AAEP. One per process suffices for any number of sessions. */
export function aaep(options: AaepOptions): ServingAgent {
  const { hub, token, spoolBytes } = ownOptions<AaepOptions>(options);
  const platform =
    hub === false
      ? undefined
      : createAaepPlatform({ url: toOptionalText(hub), token: toOptionalText(token), spoolBytes: toAmount(spoolBytes), env: process.env });
  const said: WrittenEvent[] = [];
  let parts: AgentParts | undefined;
  const serve = async (serveOptions: ServeOptions = {}) => {
    // Loaded on demand: it includes servers and all message schemas.
    const { serveAaep } = await import("./aaep-serve.ts");
    if (parts === undefined) throw new Error("An agent without parts.");
    return serveAaep(parts, said, serveOptions);
  };
  const agent = createAaepAgent(options, platform, {
    newSession: (ports, sessionOptions) => new ServedSession(ports, sessionOptions, serve),
    meet: (met) => {
      parts = met;
      met.listen((written) => {
        said.push(written);
        if (said.length > MAX_REMEMBERED) said.splice(0, MAX_REMEMBERED / 4);
      });
    },
  });
  return { ...agent, serve };
}

interface AaepPlatformOptions {
  readonly url: string | undefined;
  readonly token: string | undefined;
  readonly spoolBytes: number | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

function createAaepPlatform({ url, token, spoolBytes = SPOOL_BYTES, env }: AaepPlatformOptions): Platform {
  const home = sharedHomeOf(env);
  const named = namedUrl(env, url);
  // This user's hub is reached through a socket that only this user's programs can open, with their shared credential.
  const through = named === undefined ? { socketPath: socketOf(home), token: () => readProducerToken(home) } : { token: () => token };
  const folder = named === undefined ? "aaep" : `aaep-${createHash("sha256").update(named).digest("hex").slice(0, 16)}`;
  return {
    protocol: "aaep",
    request: createRequest(through),
    wait: createRequest({ ...through, maxSockets: WAITING_CALLS }),
    candidates: () => [{ url: named ?? "http://localhost", named: named !== undefined }],
    spool: new DiskSpool({ folder: join(home, "spool", folder), maxBytes: spoolBytes }),
    watch: watchProcess,
  };
}
