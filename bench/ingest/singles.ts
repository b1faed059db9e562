import type { Child } from "./child.ts";
import { type LoopResult, runClosedLoop } from "./closed-loop.ts";
import { toRequests } from "./connection.ts";
import type { EventSource, Protocols } from "./events.ts";
import { median, medianRatio, number, spread } from "./figures.ts";

export interface Contestant {
  readonly name: string;
  readonly server: Child;
  readonly path: string;
  readonly protocols: Protocols;
  /** Whether every event must be new to the server. */
  readonly remembers: boolean;
}

export interface SinglesOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
}

/** Above the rate of any measured server, so that a run ends by time, not by lack of events. */
const MAX_PER_SECOND = 25_000;

/** Single-event requests: all servers in turn, round by round, with new events in each round. */
export async function measureSingles(contestants: readonly Contestant[], events: EventSource, options: SinglesOptions): Promise<Results> {
  const results = new Map<string, LoopResult[]>();
  for (let round = 0; round < options.rounds; round++) {
    const supply = new Map<Protocols, readonly (readonly Buffer[])[]>();
    for (const { name, server, path, protocols, remembers } of contestants) {
      const bodies = supply.get(protocols) ?? bodiesFor(events, protocols, options);
      // Servers may share events, but no hub may get one twice, because it would recognize it.
      supply.set(protocols, bodies);
      const requests = bodies.map((own) => toRequests(own, { port: server.port, path }));
      const result = await runClosedLoop({ server, requests, seconds: options.seconds, repeat: !remembers });
      results.set(name, [...(results.get(name) ?? []), result]);
    }
  }
  return results;
}

export type Results = ReadonlyMap<string, readonly LoopResult[]>;

/** Mean size of the bodies of a run, for the report. */
export function meanBytes(bodies: readonly (readonly Buffer[])[]): number {
  const all = bodies.flat();
  return all.reduce((sum, { length }) => sum + length, 0) / all.length;
}

export function bodiesFor(events: EventSource, protocols: Protocols, { seconds, connections }: SinglesOptions) {
  const perConnection = Math.ceil((seconds * Math.min(MAX_PER_SECOND, connections * 4500)) / connections);
  return Array.from({ length: connections }, () => events.take(perConnection, protocols));
}

/** The ratios of rates and of processor time within the same rounds. */
export function compare(results: Results, ours: string, theirs: string): { readonly ratio: number; readonly cpu: number } {
  const pick = (name: string, field: "perSecond" | "serverMicroseconds") => (results.get(name) ?? []).map((run) => run[field]);
  return {
    ratio: medianRatio(pick(ours, "perSecond"), pick(theirs, "perSecond")),
    cpu: medianRatio(pick(theirs, "serverMicroseconds"), pick(ours, "serverMicroseconds")),
  };
}

export function printResults(results: Results): void {
  for (const [name, runs] of results) {
    const p50 = median(runs.map(({ p50Ms }) => p50Ms));
    const p99 = median(runs.map(({ p99Ms }) => p99Ms));
    const cpu = median(runs.map(({ serverMicroseconds }) => serverMicroseconds));
    const generator = median(runs.map(({ generatorShare }) => generatorShare));
    console.log(
      `  ${name.padEnd(46)} ${spread(runs.map(({ perSecond }) => perSecond)).padStart(26)} per second, p50 ${number(p50, 2)} ms, p99 ${number(p99, 2)} ms, ` +
        `server ${number(cpu)} µs of processor time each, generator ${number(generator * 100)} % of a core`,
    );
  }
}

/** Conforming sessions sent once: any answer other than "stored, no flags" means a wrong measurement. */
export function printAnswers(runs: readonly LoopResult[]): void {
  const sum = (pick: (run: LoopResult) => number) => number(runs.reduce((total, run) => total + pick(run), 0));
  console.log(
    `  answers of the hub: ${sum(({ requests }) => requests)}; not 200 ${sum(({ answers }) => answers.refused)}, ` +
      `duplicates ${sum(({ answers }) => answers.duplicates)}, flagged ${sum(({ answers }) => answers.flagged)}; ` +
      `its views caught up ${number(median(runs.map(({ settledMs }) => settledMs)) / 1000, 1)} s after a round`,
  );
  const example = runs.find(({ answers }) => answers.example !== undefined)?.answers.example;
  if (example !== undefined) console.log(`    for example: ${example}`);
}
