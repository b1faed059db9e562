import type { ProtocolName } from "@earshot/protocol";
import type { EventLifecycle, Ledger, Submission } from "../../ledger/ledger.ts";
import { openSqliteLedger } from "../../ledger/sqlite/open-ledger.ts";
import { temporaryTestFolder } from "../../ledger/testing/temporary-folder.ts";

export interface SampleEvent {
  readonly protocol?: ProtocolName;
  readonly session?: string;
  readonly agent?: string;
  readonly type?: string;
  readonly text?: string;
}

export interface EventLedger extends AsyncDisposable {
  readonly ledger: Ledger;
  /** Records events in one transaction and returns their positions. */
  say(...sayings: readonly SampleEvent[]): Promise<readonly number[]>;
  /** Reopens the same file, like a restarted hub. */
  reopen(): Promise<void>;
}

/** Judges nothing, because delivery does not depend on meaning. */
const INDIFFERENT: EventLifecycle = {
  open: () => ({}),
  handle: () => ({ flags: [], ended: false }),
  read: () => {
    throw new Error("Nothing is heard again here.");
  },
};

/** A real ledger in its own folder with a short way to add events. */
export function openEventLedger(): EventLedger {
  const folder = temporaryTestFolder();
  const open = () => openSqliteLedger(folder.file("ledger.db"), { lifecycle: INDIFFERENT, now: Date.now });
  let ledger = open();
  let count = 0;
  return {
    get ledger() {
      return ledger;
    },
    async say(...sayings) {
      const verdicts = await ledger.append(
        sayings.map((saying) => {
          count += 1;
          return toSubmission(saying, count);
        }),
      );
      return verdicts.map((verdict) => {
        if (!verdict.ok) throw new Error(verdict.problem.message);
        return verdict.position;
      });
    },
    async reopen() {
      await ledger.close();
      ledger = open();
    },
    async [Symbol.asyncDispose]() {
      await ledger.close();
      folder[Symbol.dispose]();
    },
  };
}

function toSubmission(
  { protocol = "aop", session = "session-1", agent = "agent-1", type = "cognition.thought", text }: SampleEvent,
  count: number,
): Submission {
  return {
    source: { protocol, name: "local", verified: true },
    kind: "event",
    session,
    agent,
    type,
    sequence: null,
    identity: `event-${count}`,
    text: text ?? `{"number":${count}}`,
    receivedAt: 1_790_000_000_000 + count,
    reading: { protocol, kind: "event", type, value: {}, eventId: `event-${count}`, sessionId: session, agentId: agent, findings: [] },
    redactions: [],
  };
}
