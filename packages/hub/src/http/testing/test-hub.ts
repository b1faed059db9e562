import { readFileSync } from "node:fs";
import { prepareAdmin } from "../../access/testing/test-device.ts";
import { type HubHome, hubHomeOf } from "../../home.ts";
import { startHub } from "../../hub.ts";
import type { RunningHubHandle } from "../../hub-options.ts";
import { type TemporaryFolder, temporaryTestFolder } from "../../ledger/testing/temporary-folder.ts";
import { expectDescribed } from "./described-answers.ts";

export type RequestHeaders = Readonly<Record<string, string>>;

export interface TestHubResponse<Body> {
  readonly status: number;
  readonly body: Body;
}

/** A hub with its own port and folder, an admin, and the credentials its programs read from files. */
export interface TestHub {
  readonly folder: TemporaryFolder;
  readonly home: HubHome;
  readonly hub: RunningHubHandle;
  readonly admin: RequestHeaders;
  readonly viewer: RequestHeaders;
  readonly producer: RequestHeaders;
  /** Posts a body as JSON, or gets. The answer must match `GET /openapi.json`. */
  send<Body = Readonly<Record<string, unknown>>>(path: string, headers: RequestHeaders, body?: unknown): Promise<TestHubResponse<Body>>;
  /** Restarts the hub after a change to its files. */
  restart(meanwhile?: () => void): Promise<void>;
  close(): Promise<void>;
}

export async function openTestHub(prepare: (home: HubHome) => void = () => {}): Promise<TestHub> {
  const folder = temporaryTestFolder();
  const home = hubHomeOf({ EARSHOT_HOME: folder.file("home") });
  const admin = await prepareAdmin(home);
  prepare(home);
  const start = () => startHub({ home, version: "0.0.0", port: 0 });
  let hub = await start();
  const bearer = (path: string) => ({ authorization: `Bearer ${readFileSync(path, "utf8").trim()}` });
  return {
    folder,
    home,
    get hub() {
      return hub;
    },
    admin,
    viewer: bearer(home.viewerToken),
    producer: bearer(home.producerToken),
    async send<Body>(path: string, headers: RequestHeaders, body?: unknown) {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const post = { method: "POST", body: text, headers: { "content-type": "application/json", ...headers } };
      const response = await fetch(hub.url + path, body === undefined ? { headers } : post);
      const answer = (await response.json()) as Body;
      expectDescribed(hub.routes, body === undefined ? "GET" : "POST", path, response.status, answer);
      return { status: response.status, body: answer };
    },
    async restart(meanwhile = () => {}) {
      await hub.close();
      meanwhile();
      hub = await start();
    },
    async close() {
      await hub.close();
      folder[Symbol.dispose]();
    },
  };
}
