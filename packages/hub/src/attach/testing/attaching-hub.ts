import { readFileSync } from "node:fs";
import { callJson, prepareAdmin, unlockWithPin } from "../../access/testing/test-device.ts";
import { hubHomeOf } from "../../home.ts";
import { startHub } from "../../hub.ts";
import type { RunningHubHandle } from "../../hub-options.ts";
import type { LedgerEntry } from "../../ledger/ledger.ts";
import { temporaryTestFolder } from "../../ledger/testing/temporary-folder.ts";
import type { AttachmentView } from "../api.ts";

type Headers = Readonly<Record<string, string>>;
type Body = Readonly<Record<string, unknown>>;

/** A hub with an approver who attaches producers. */
export interface AttachingHub extends AsyncDisposable {
  readonly hub: RunningHubHandle;
  readonly viewer: Headers;
  readonly producer: Headers;
  /** Detached at the end of the test. */
  attach(body: object): Promise<AttachedSource>;
  detach(id: string): Promise<Body>;
  list(): Promise<readonly AttachmentView[]>;
  /** An approver's action. */
  decide(path: string, body: object): Promise<Body>;
  read(path: string): Promise<Body>;
  restart(): Promise<void>;
}

/** The hub's state of one producer. */
export interface AttachedSource extends AsyncDisposable {
  readonly view: AttachmentView;
  now(): Promise<AttachmentView | undefined>;
  requests(state: string): Promise<readonly Body[]>;
  /** Answers its only open request. */
  answer(answer: object): Promise<Body>;
  entries(): Promise<readonly LedgerEntry[]>;
}

export async function openAttachingHub(): Promise<AttachingHub> {
  const folder = temporaryTestFolder();
  const home = hubHomeOf({ EARSHOT_HOME: folder.file("home") });
  await prepareAdmin(home);
  const start = () => startHub({ home, version: "0.0.0", port: 0 });
  let hub = await start();
  const bearer = (path: string) => ({ authorization: `Bearer ${readFileSync(path, "utf8").trim()}` });
  const [viewer, producer] = [bearer(home.viewerToken), bearer(home.producerToken)];
  const approver = () => unlockWithPin(hub.url, viewer);
  const decide = async (path: string, body: object) => callJson(hub.url, path, body, await approver());
  const list = async () => (await callJson(hub.url, "/api/attachments", undefined, viewer))["attachments"] as readonly AttachmentView[];
  const detach = async (id: string) => {
    const response = await fetch(`${hub.url}/api/attachments/${id}`, { method: "DELETE", headers: await approver() });
    return (await response.json()) as Body;
  };
  const attached = (view: AttachmentView): AttachedSource => {
    const isOwn = ({ source }: { readonly source?: unknown }) => source === view.source;
    const requests = async (state: string) => {
      const { requests } = await callJson(hub.url, `/api/requests?state=${state}&limit=200`, undefined, viewer);
      return (requests as readonly Body[]).filter(isOwn);
    };
    return {
      view,
      now: async () => (await list()).find(({ id }) => id === view.id),
      requests,
      async answer(answer) {
        const [request] = await requests("open");
        return decide(`/api/requests/${String(request?.["id"])}/answer`, { ...answer, digest: request?.["digest"] });
      },
      async entries() {
        const all: LedgerEntry[] = [];
        for (let after = 0; ; ) {
          const { entries, upTo } = await hub.ledger.read({ after, limit: 500, filter: { protocol: ["aaep"] } });
          all.push(...entries.filter(isOwn).filter(({ kind }) => kind === "event"));
          if (upTo === after) return all;
          after = upTo;
        }
      },
      [Symbol.asyncDispose]: async () => void (await detach(view.id)),
    };
  };
  return {
    get hub() {
      return hub;
    },
    viewer,
    producer,
    attach: async (body) => attached((await decide("/api/attachments", body)) as unknown as AttachmentView),
    detach,
    list,
    decide,
    read: (path) => callJson(hub.url, path, undefined, viewer),
    async restart() {
      await hub.close();
      hub = await start();
    },
    async [Symbol.asyncDispose]() {
      await hub.close();
      folder[Symbol.dispose]();
    },
  };
}
