import { statSync } from "node:fs";
import { basename } from "node:path";
import type { ProtocolName } from "@earshot/protocol";
import type { Verdict } from "../verdict.ts";

/**
 * Measurements as text, in the exposition format of Prometheus 0.0.4:
 * https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 */
export interface Metric {
  /** Ends with its unit (`_bytes`, `_seconds`), followed by `_total` for a counter. */
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly samples: readonly Sample[];
}

export interface Sample {
  /** For histograms: `_bucket`, `_sum`, `_count`. */
  readonly suffix?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export function writeMetrics(metrics: readonly Metric[]): string {
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, type, samples }) => {
      const lines = samples.map(({ suffix = "", labels = {}, value }) => `${name}${suffix}${writeLabels(labels)} ${writeValue(value)}`);
      return `# HELP ${name} ${escaped(help, /[\\\n]/g)}\n# TYPE ${name} ${type}\n${lines.join("\n")}\n`;
    })
    .join("");
}

function writeLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value, /[\\\n"]/g)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(text: string, special: RegExp): string {
  return text.replace(special, (character) => (character === "\n" ? "\\n" : `\\${character}`));
}

function writeValue(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}

/** Counts durations in buckets. Adding one costs a few comparisons. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;

  /** The bounds ascend; each is the largest value in its bucket. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  add(value: number): void {
    let index = 0;
    while (index < this.#bounds.length && value > (this.#bounds[index] ?? 0)) index++;
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#sum += value;
  }

  /** Buckets are cumulative. */
  samples(): readonly Sample[] {
    let count = 0;
    const buckets = this.#counts.map((own, index): Sample => {
      count += own;
      return { suffix: "_bucket", labels: { le: writeValue(this.#bounds[index] ?? Number.POSITIVE_INFINITY) }, value: count };
    });
    return [...buckets, { suffix: "_sum", value: this.#sum }, { suffix: "_count", value: count }];
  }
}

/** The label of a text whose protocol could not be read is "unknown". */
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

/** Counts events and commits as plain numbers. */
export class Meter {
  readonly #events: Readonly<Record<Label, Counts>> = { aaep: none(), aep: none(), aop: none(), unknown: none() };
  readonly #commits = new Histogram(COMMIT_SECONDS);

  /** Counts one event by its verdict. */
  countVerdict(protocol: Label, verdict: Verdict): void {
    const counts = this.#events[protocol];
    if (!verdict.ok) counts.refused++;
    else if (verdict.duplicate) counts.duplicate++;
    else {
      counts.stored++;
      if (verdict.flags.length > 0) counts.flagged++;
    }
  }

  /** Records the duration of one transaction, including its sync to disk. */
  countCommit(durationMs: number): void {
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

/** Values sampled when the metrics are requested. */
export interface Gauges {
  readonly version: string;
  readonly head: number;
  readonly viewsPosition: number;
  readonly queueBytes: number;
  readonly listeners: number;
  /** AAEP subscriptions with a connected listener. */
  readonly subscriptions: number;
  readonly uptimeSeconds: number;
  readonly sleptSeconds: number;
  /** Paths of the files whose sizes are listed; a missing file is left out. */
  readonly files: readonly string[];
}

export function readGauges(gauges: Gauges): readonly Metric[] {
  const { version, head, viewsPosition } = gauges;
  return [
    gauge("earshot_build_info", "The version that runs; always 1.", 1, { version }),
    gauge("earshot_head_position", "The highest position in the ledger.", head),
    gauge("earshot_views_lag_positions", "How far the views are behind the ledger.", Math.max(0, head - viewsPosition)),
    gauge("earshot_queue_bytes", "Bytes that wait for the disk.", gauges.queueBytes),
    gauge("earshot_listeners", "Listeners connected now.", gauges.listeners),
    gauge("earshot_aaep_subscriptions", "AAEP subscriptions listened to now.", gauges.subscriptions),
    gauge("earshot_uptime_seconds", "Seconds since the hub started, sleep not counted.", gauges.uptimeSeconds),
    {
      ...gauge("earshot_slept_seconds_total", "Seconds in which the process or the machine stood still.", gauges.sleptSeconds),
      type: "counter",
    },
    gauge("process_resident_memory_bytes", "Resident memory of the process.", process.memoryUsage.rss()),
    { name: "earshot_file_bytes", help: "Sizes of the hub's files.", type: "gauge", samples: gauges.files.flatMap(sizeOf) },
  ];
}

function gauge(name: string, help: string, value: number, labels: Readonly<Record<string, string>> = {}): Metric {
  return { name, help, type: "gauge", samples: [{ labels, value }] };
}

function sizeOf(path: string) {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? [] : [{ labels: { file: basename(path) }, value: stats.size }];
}
