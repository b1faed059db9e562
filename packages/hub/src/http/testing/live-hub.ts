import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { gateFor } from "../../access/testing/test-access.ts";
import { type LiveOptions, LiveStreams } from "../../live/live-streams.ts";
import { openEventLedger, type SampleEvent } from "../../live/testing/event-ledger.ts";
import { type RaisedAlert, registerAopStream } from "../aop-collector.ts";
import { createApp } from "../app.ts";
import { registerLive } from "../live-sse.ts";

export const TOKEN = "viewer-".repeat(6);
export const AUTHORISED = { authorization: `Bearer ${TOKEN}` };

/** The part of a hub that listeners use: a real ledger behind a real port. */
export interface LiveTestHub extends AsyncDisposable {
  readonly live: LiveStreams;
  readonly port: number;
  readonly url: string;
  /** The hub's ends of all connections ever made. */
  readonly sockets: readonly Socket[];
  say(...sayings: readonly SampleEvent[]): Promise<readonly number[]>;
  raise(raised: RaisedAlert): void;
  /** Restarts everything on the same ledger and another port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function openLiveTestHub(options: Partial<LiveOptions> = {}): Promise<LiveTestHub> {
  const spoken = openEventLedger();
  const sockets: Socket[] = [];
  const alerts = new Set<(raised: RaisedAlert) => void>();
  const onAlert = (hear: (raised: RaisedAlert) => void) => {
    alerts.add(hear);
    return () => alerts.delete(hear);
  };
  const start = async () => {
    const live = new LiveStreams(spoken.ledger, { onFailure: rethrow, ...options });
    const gate = gateFor(TOKEN);
    const app = createApp({ gate, onFailure: rethrow });
    registerLive(app, { live, onAlert: () => () => {} });
    registerAopStream(app, live, { now: () => 1_790_000_000_000, onAlert });
    await app.ready();
    const server = createServer((request, response) => app.routing(request, response));
    server.on("connection", (socket: Socket) => sockets.push(socket));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { live, app, server };
  };
  let running = await start();
  const stop = async () => {
    await running.app.close();
    await closeServer(running.server);
  };
  return {
    sockets,
    get live() {
      return running.live;
    },
    get port() {
      return portOf(running.server);
    },
    get url() {
      return `http://127.0.0.1:${portOf(running.server)}`;
    },
    say: (...sayings) => spoken.say(...sayings),
    raise: (raised) => {
      for (const hear of alerts) hear(raised);
    },
    async restart() {
      await stop();
      await spoken.reopen();
      running = await start();
    },
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      await spoken[Symbol.asyncDispose]();
    },
  };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function rethrow(error: unknown): never {
  throw error;
}
