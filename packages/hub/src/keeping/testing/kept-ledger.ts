import { join } from "node:path";
import { createLifecycle } from "../../intake/lifecycle.ts";
import { readSubmission } from "../../intake/submission.ts";
import type { EngineLedger } from "../../ledger/engine-ledger.ts";
import { openSqliteLedger } from "../../ledger/sqlite/open-ledger.ts";
import { temporaryFolder } from "../../ledger/testing/temporary-folder.ts";
import { type OpenViews, openViews } from "../../views/open-views.ts";
import { startWorkerHere } from "../../views/testing/worker-here.ts";

export const NOW = Date.UTC(2026, 5, 1);
export const DAY_MS = 86_400_000;

/** A ledger with views in its own folder, and a fixed clock. */
export interface KeptLedger extends AsyncDisposable {
  readonly folder: string;
  readonly path: string;
  readonly ledger: EngineLedger;
  readonly views: OpenViews;
  readonly now: () => number;
  say(said: Saying): Promise<number>;
}

export interface Saying {
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
  const folder = temporaryFolder();
  const path = join(folder.path, "ledger.db");
  const lifecycle = createLifecycle({ strict: false });
  const ledger = openSqliteLedger(path, { lifecycle, now: () => NOW });
  const views = await openKeptViews({ ledger, path, folder: folder.path });
  return {
    folder: folder.path,
    path,
    ledger,
    views,
    now: () => NOW,
    async say(said) {
      const { protocol = "aop", ageDays, asks } = said;
      const text = protocol === "aop" ? aop(said) : aep(said);
      const receivedAt = NOW - ageDays * DAY_MS;
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
  return openViews({ path: join(folder, "views.db"), ledger, ledgerAt: path, now: () => NOW, log: () => {}, start });
}

function aop({ session, sequence, type = sequence === 1 ? "session.started" : "cognition.thought", payload }: Saying): string {
  const said = payload ?? (sequence === 1 ? { goal: "Say so." } : { content: "So it is." });
  const timestamp = "2026-01-02T03:04:05.000Z";
  return JSON.stringify({ spec: "aop/1.0", session_id: session, agent_id: "a1", sequence, timestamp, type, payload: said });
}

function aep({ session, sequence, type = "session.start" }: Saying): string {
  const time = "2026-01-02T03:04:05.000Z";
  return JSON.stringify({
    aep_version: "0.1",
    id: `${session}-${sequence}`,
    time,
    type,
    agent: { slug: "claude-code" },
    session: { id: session },
  });
}
