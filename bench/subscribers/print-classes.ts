import { median, number, percentile } from "../ingest/figures.ts";
import { CLASSES } from "./classes.ts";
import type { Report } from "./crowd.ts";
import type { Noticed, Term } from "./term-watch.ts";

export interface RunFacts {
  readonly critical: number;
  readonly aimMs: number;
}

/** What each class asked for, what it got, and whether that was what it was promised. False when it was not. */
export function printClasses({ classes }: Extract<Report, { kind: "hub" }>, { critical, aimMs }: RunFacts): boolean {
  let ok = true;
  console.log("\nWhat each class got (medians per subscriber), and how often what was promised was not kept");
  for (const { name, noticed } of classes) {
    const each = (pick: (one: Noticed) => number) => median(noticed.map(pick));
    const all = (pick: (one: Noticed) => number) => noticed.reduce((sum, one) => sum + pick(one), 0);
    const broken = brokenTerms(noticed);
    const missing = noticed.length * critical - all((one) => one.critical);
    const late = Float64Array.from(noticed.flatMap(({ criticalMs }) => criticalMs)).sort();
    const text = Float64Array.from(noticed.flatMap(({ textMs }) => textMs)).sort();
    const p99 = percentile(late, 0.99);
    const unfinished = number(
      (100 * all((one) => one.unfinished)) /
        Math.max(
          1,
          all((one) => one.chunks),
        ),
    );
    ok &&= broken === "" && missing === 0;
    const asked = CLASSES.find((one) => one.name === name)?.capabilities.max_events_per_second;
    console.log(
      `  ${`${noticed.length} × ${name}`.padEnd(30)} ${asked === undefined ? "no limit" : `≤ ${asked}/s`}: ${number(
        each((one) => one.perSecond),
        1,
      )} events/s, ` +
        `${number(each((one) => one.pushed))} of ${number(each((one) => one.events))} ahead of their turn, before something critical; ` +
        (text.length === 0
          ? "no text"
          : `text p50 ${number(percentile(text, 0.5) / 1000, 1)} s old, ${unfinished} % of chunks without a boundary`),
    );
    console.log(
      `  ${"".padEnd(30)} ${broken === "" ? "terms kept, 0 violations" : `VIOLATIONS: ${broken}`}; critical p50 ${number(percentile(late, 0.5), 1)} ms, ` +
        `p99 ${number(p99, 1)} ms (aimed at: at most ${aimMs}${p99 > aimMs ? "  ← above the aim" : ""})${missing === 0 ? "" : `, ${missing} MISSING`}; ` +
        `${number(
          (100 * all((one) => one.resumable)) /
            Math.max(
              1,
              all((one) => one.events),
            ),
        )} % of events can be resumed from`,
    );
  }
  return ok;
}

function brokenTerms(noticed: readonly Noticed[]): string {
  const terms: readonly Term[] = ["rate", "filter", "boundary", "words", "language", "order", "text"];
  return terms
    .map((term) => [term, noticed.reduce((sum, one) => sum + one.violations[term], 0)] as const)
    .filter(([, count]) => count > 0)
    .map(([term, count]) => `${term} ${count}`)
    .join(", ");
}
