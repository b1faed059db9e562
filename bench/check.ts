import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { generateRecording } from "./check/generate-recording.ts";

/**
 * Prints the speed of `earshot check` relative to bare line splitting and JSON.parse of the same file in the same run: on one thread, and
 * with the same amount split over several files, which are checked in threads.
 */
const megabytes = Number(process.argv[2] ?? 200);
const folder = new URL("../.cache/bench/", import.meta.url).pathname;
mkdirSync(folder, { recursive: true });
const whole = await recordingOf(megabytes, 0);
const parts = await Promise.all(
  Array.from({ length: availableParallelism() }, (_, index) => recordingOf(megabytes / availableParallelism(), index + 1)),
);
console.log(
  `${(statSync(whole).size / 1e6).toFixed(0)} MB of AAEP, AEP and AOP in one file; Node ${process.version}, ${availableParallelism()} cores; best of 3 runs each`,
);

interface Result {
  readonly events: number;
  readonly ms: number;
  readonly maxRssMb: number;
  readonly ok?: boolean;
  readonly errors?: number;
  readonly first?: unknown;
}
const best = {
  bare: await best3("bare-parse", [whole]),
  ours: await best3("earshot-check", [whole]),
  threads: await best3("earshot-check", parts),
};
console.log(`bare line splitting + JSON.parse     ${rate(best.bare)}`);
console.log(`earshot check, one file, one thread  ${rate(best.ours)}`);
console.log(`  ratio ${ratio(best.ours)} (at least 0.25 is asked for, 0.5 is the aim)`);
console.log(`earshot check, ${parts.length} files, ${parts.length} threads  ${rate(best.threads)}`);
console.log(`  ratio ${ratio(best.threads)} of the bare parse on one thread`);
for (const result of [best.ours, best.threads]) {
  if (result.ok !== true)
    console.log(`The recording should conform, and has ${result.errors} errors:`, JSON.stringify(result.first, null, 1));
}

async function best3(script: string, paths: readonly string[]): Promise<Result> {
  const results = Array.from({ length: 3 }, () => measure(script, paths));
  return results.reduce((a, b) => (a.ms < b.ms ? a : b));
}

function measure(script: string, paths: readonly string[]): Result {
  const file = new URL(`./check/${script}.ts`, import.meta.url).pathname;
  return JSON.parse(execFileSync(process.execPath, [file, ...paths], { encoding: "utf8" })) as Result;
}

async function recordingOf(size: number, seed: number): Promise<string> {
  const path = `${folder}check-${size}-${seed}.jsonl`;
  if (!existsSync(path)) await generateRecording(path, size * 1e6, seed);
  return path;
}

function rate({ events, ms, maxRssMb }: Result): string {
  return `${Math.round(events / (ms / 1000)).toLocaleString("en")} events/s, ${maxRssMb.toFixed(0)} MB at most`;
}

function ratio({ events, ms }: Result): string {
  return (events / ms / (best.bare.events / best.bare.ms)).toFixed(2);
}
