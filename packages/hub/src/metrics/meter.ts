import type { ProtocolName } from "@earshot/protocol";
import type { Verdict } from "../verdict.ts";
import { Histogram, type Metric } from "./prometheus.ts";

/** What the protocol of a text that could not be read is. */
type Label = ProtocolName | "unknown";

interface Counts {
  stored: number;
  duplicate: number;
  refused: number;
  flagged: number;
}

const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

const HELP: Readonly<Record<keyof Counts, string>> = {
  stored: "Events and messages stored since the hub started.",
  duplicate: "Events that were there already and were acknowledged again.",
  refused: "Events that were refused.",
  flagged: "Stored events that break a rule.",
};

/** Counts what happens, in plain numbers: it is told of every event, and read once in a while. */
export class Meter {
  readonly #events: Readonly<Record<Label, Counts>> = { aaep: none(), aep: none(), aop: none(), unknown: none() };
  readonly #commits = new Histogram(COMMIT_SECONDS);
  #transactions = 0;

  /** How many transactions there were. */
  get transactions(): number {
    return this.#transactions;
  }

  /** What became of one event. */
  countVerdict(protocol: Label, verdict: Verdict): void {
    const counts = this.#events[protocol];
    if (!verdict.ok) counts.refused++;
    else if (verdict.duplicate) counts.duplicate++;
    else {
      counts.stored++;
      if (verdict.flags.length > 0) counts.flagged++;
    }
  }

  /** How long one transaction took, its sync to disk included. */
  countCommit(durationMs: number): void {
    this.#transactions++;
    this.#commits.add(durationMs / 1000);
  }

  metrics(): readonly Metric[] {
    const kinds: readonly (keyof Counts)[] = ["stored", "duplicate", "refused", "flagged"];
    const events = kinds.map(
      (kind): Metric => ({
        name: `earshot_events_${kind}_total`,
        help: HELP[kind],
        type: "counter",
        samples: Object.entries(this.#events).map(([protocol, counts]) => ({ labels: { protocol }, value: counts[kind] })),
      }),
    );
    const help = "How long transactions took, with their sync to disk.";
    return [...events, { name: "earshot_commit_duration_seconds", help, type: "histogram", samples: this.#commits.samples() }];
  }
}

function none(): Counts {
  return { stored: 0, duplicate: 0, refused: 0, flagged: 0 };
}
