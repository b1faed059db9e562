/**
 * Measurements as text, in the exposition format of Prometheus 0.0.4:
 * https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 */
export interface Metric {
  /** With its unit at the end (`_bytes`, `_seconds`), and `_total` after that when it only grows. */
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly samples: readonly Sample[];
}

export interface Sample {
  /** Of a histogram: `_bucket`, `_sum`, `_count`. */
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

/** Counts durations by how long they were. Adding one costs a few comparisons. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;

  /** The bounds grow, and each is the largest value that counts for it. */
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

  /** Each bucket counts what is in the ones before it too. */
  samples(): readonly Sample[] {
    let count = 0;
    const buckets = this.#counts.map((own, index): Sample => {
      count += own;
      return { suffix: "_bucket", labels: { le: writeValue(this.#bounds[index] ?? Number.POSITIVE_INFINITY) }, value: count };
    });
    return [...buckets, { suffix: "_sum", value: this.#sum }, { suffix: "_count", value: count }];
  }
}
