import { join } from "node:path";
import { createLifecycle } from "../../intake/lifecycle.ts";
import { readSubmission } from "../../intake/submission.ts";
import type { EngineLedger } from "../../ledger/engine-ledger.ts";
import { openSqliteLedger } from "../../ledger/sqlite/open-ledger.ts";
import { toAepText, toAopText } from "../../ledger/testing/submissions.ts";
import { temporaryTestFolder } from "../../ledger/testing/temporary-folder.ts";
import { type OpenViews, openViews } from "../../views/open-views.ts";
import { startWorkerHere } from "../../views/testing/worker-here.ts";

export const KEPT_LEDGER_NOW_MS = Date.UTC(2026, 5, 1);
export const DAY_MS = 86_400_000;

/** A ledger with views in its own folder, and a fixed clock. */
export interface KeptLedger extends AsyncDisposable {
  readonly folder: string;
  readonly path: string;
  readonly ledger: EngineLedger;
  readonly views: OpenViews;
  readonly now: () => number;
  say(said: KeptEvent): Promise<number>;
}

export interface KeptEvent {
  readonly session: string;
  readonly sequence: number;
  readonly ageDays: number;
  readonly protocol?: "aop" | "aep";
  readonly type?: string;
  readonly payload?: object;
  /** Asks a question that waits for an answer. */
  readonly asks?: string;
}

export async function openKeptLedger(): Promise<KeptLedger> {
  const folder = temporaryTestFolder();
  const path = join(folder.path, "ledger.db");
  const lifecycle = createLifecycle({ strict: false });
  const ledger = openSqliteLedger(path, { lifecycle, now: () => KEPT_LEDGER_NOW_MS });
  const views = await openKeptViews({ ledger, path, folder: folder.path });
  return {
    folder: folder.path,
    path,
    ledger,
    views,
    now: () => KEPT_LEDGER_NOW_MS,
    async say(said) {
      const { ageDays, asks } = said;
      const text = toText(said);
      const receivedAt = KEPT_LEDGER_NOW_MS - ageDays * DAY_MS;
      const read = readSubmission(text, text.length, { name: "local", verified: asks !== undefined }, { receivedAt, redacts: () => true });
      if (!read.ok) throw new Error(JSON.stringify(read.problem));
      const request = { id: asks ?? "", kind: "permission", deadlineAt: null, card: '{"shown":"card"}', digest: "d" } as const;
      const [verdict] = await ledger.append([asks === undefined ? read.submission : { ...read.submission, request }]);
      if (verdict?.ok !== true) throw new Error(JSON.stringify(verdict));
      return verdict.position;
    },
    async [Symbol.asyncDispose]() {
      await views.close();
      await ledger.close();
      folder[Symbol.dispose]();
    },
  };
}

/** The views of a ledger, also after they were closed. */
export function openKeptViews({ ledger, path, folder }: Pick<KeptLedger, "ledger" | "path" | "folder">): Promise<OpenViews> {
  const start = startWorkerHere();
  return openViews({ path: join(folder, "views.db"), ledger, ledgerAt: path, now: () => KEPT_LEDGER_NOW_MS, log: () => {}, start });
}

function toText({ session, sequence, protocol = "aop", type, payload }: KeptEvent): string {
  if (protocol === "aep") return toAepText({ id: `${session}-${sequence}`, session, ...(type === undefined ? {} : { type }) });
  const first = { type: "session.started", payload: { goal: "Say so." } };
  const members = {
    ...(sequence === 1 ? first : {}),
    ...(type === undefined ? {} : { type }),
    ...(payload === undefined ? {} : { payload }),
  };
  return toAopText({ session, sequence, ...members });
}
