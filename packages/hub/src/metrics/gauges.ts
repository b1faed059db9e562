import { statSync } from "node:fs";
import { basename } from "node:path";
import type { Metric } from "./prometheus.ts";

/** What is looked up when somebody asks, because it is there already. */
export interface Gauges {
  readonly version: string;
  readonly head: number;
  readonly viewsPosition: number;
  readonly queueBytes: number;
  readonly listeners: number;
  /** AAEP subscriptions that somebody listens to. */
  readonly subscriptions: number;
  readonly uptimeSeconds: number;
  readonly sleptSeconds: number;
  /** Files whose sizes are told, by path. One that is not there has none. */
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
