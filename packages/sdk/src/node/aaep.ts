import { createHash } from "node:crypto";
import { join } from "node:path";
import { type AaepAgent, type AaepAgentOptions, type AgentParts, createAaepAgent } from "../aaep/aaep-agent.ts";
import { AaepSession } from "../aaep/aaep-session.ts";
import type { Written } from "../aaep/event-writer.ts";
import type { AaepSessionOptions } from "../aaep/session-options.ts";
import type { AaepSessionPorts } from "../aaep/session-ports.ts";
import type { Platform } from "../delivery/platform.ts";
import { own } from "../plain/own.ts";
import { toAmount, toOptionalText } from "../plain/text.ts";
import type { AaepEndpoint, ServeOptions } from "./aaep-serve-options.ts";
import { DiskSpool } from "./disk-spool.ts";
import { homeOf, namedUrl, readProducerToken, socketOf } from "./home.ts";
import { watchProcess } from "./process-end.ts";
import { createRequest } from "./request.ts";

export interface AaepOptions extends AaepAgentOptions {
  /** Base address of a hub. Otherwise the environment's `EARSHOT_URL`, or the hub of this user. `false`: no hub is told. */
  readonly hub?: string | false | undefined;
  /** The credential for a hub that is named: one of a producer. Without it, events are kept, and nobody is asked. */
  readonly token?: string | undefined;
  /** How much may wait on disk while no hub is there. 0: nothing is written. */
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

  /** The same as `serve` of its agent: what has been said before is heard too. */
  serve(options: ServeOptions = {}): Promise<AaepEndpoint> {
    return this.#serve(options);
  }
}

export interface ServingAgent extends AaepAgent<ServedSession> {
  /** Serves what the agent says to whoever subscribes, and takes their answers, beside the hub or instead of it. */
  serve(options?: ServeOptions): Promise<AaepEndpoint>;
}

/** As much of what was said is kept for those who come when it is served. */
const MOST_REMEMBERED = 1000;

/** An agent that speaks AAEP. One per process is enough, for any number of sessions. */
export function aaep(options: AaepOptions): ServingAgent {
  const { hub, token, spoolBytes } = own<AaepOptions>(options);
  const platform =
    hub === false
      ? undefined
      : createAaepPlatform({ url: toOptionalText(hub), token: toOptionalText(token), spoolBytes: toAmount(spoolBytes), env: process.env });
  const said: Written[] = [];
  let parts: AgentParts | undefined;
  const serve = async (serveOptions: ServeOptions = {}) => {
    // Loaded only where it is needed: it brings servers, and the schemas of all messages.
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
        if (said.length > MOST_REMEMBERED) said.splice(0, MOST_REMEMBERED / 4);
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
  const home = homeOf(env);
  const named = namedUrl(env, url);
  // The hub of this user is reached where only this user's programs can knock, with the credential that they share.
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
