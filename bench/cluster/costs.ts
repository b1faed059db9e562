import { createLifecycle } from "../../packages/hub/src/intake/lifecycle.ts";
import { readSubmission } from "../../packages/hub/src/intake/submission.ts";
import { openPostgresLedger } from "../../packages/hub/src/ledger/postgres/open-ledger.ts";
import type { EventSource } from "../ingest/events.ts";
import { median, number } from "../ingest/figures.ts";

const ROUNDS = 20;
const BATCH = 1000;

/** Times what `simulate:scale` starts from: a commit, an event in it, and the deletion of an entry by retention. */
export async function measureCosts(address: string, folder: string, events: EventSource): Promise<void> {
  const now = () => Date.now();
  const ledger = openPostgresLedger({ address, folder, lifecycle: createLifecycle({ strict: false }), now });
  const append = async (count: number) => {
    const submissions = events.take(count).flatMap((body) => {
      const read = readSubmission(
        body.toString(),
        body.length,
        { name: "local", verified: false },
        { receivedAt: now(), redacts: () => true },
      );
      return read.ok ? [read.submission] : [];
    });
    const began = performance.now();
    await ledger.append(submissions);
    return performance.now() - began;
  };
  await append(BATCH);
  const [one, many]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    one.push(await append(1));
    many.push(await append(BATCH));
  }
  const commitMs = median(one);
  const sessions = new Map<string, Parameters<typeof ledger.cut>[0]>();
  for (const { session } of (await ledger.read({ after: 0, limit: BATCH })).entries) {
    const [found] = await ledger.findSessions(session);
    if (found !== undefined) sessions.set(session, found);
  }
  const began = performance.now();
  let deleted = 0;
  for (const session of sessions.values()) deleted += await ledger.cut(session, "pruned");
  const deleteMs = (performance.now() - began) / deleted;
  await ledger.close();
  console.log(`\nCosts under the append lock, medians of ${ROUNDS}`);
  console.log(
    `    a commit of one event ${number(commitMs, 1)} ms; each further event ${number((median(many) - commitMs) / (BATCH - 1), 3)} ms`,
  );
  console.log(
    `    retention: ${number(deleteMs, 3)} ms per deleted entry (${number(deleted)} entries in ${number(sessions.size)} sessions)`,
  );
}
