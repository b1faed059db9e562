import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, statSync } from "node:fs";
import { generateRecording } from "./check/generate-recording.ts";

/** Prints how fast `earshot check` is beside bare line splitting and JSON.parse of the same file, in the same run. */
const megabytes = Number(process.argv[2] ?? 200);
const folder = new URL("../.cache/bench/", import.meta.url).pathname;
const path = `${folder}check-${megabytes}.jsonl`;
mkdirSync(folder, { recursive: true });
if (!existsSync(path)) {
  console.log(`Writing a recording of ${megabytes} MB ...`);
  await generateRecording(path, megabytes * 1e6);
}
console.log(`${(statSync(path).size / 1e6).toFixed(0)} MB, Node ${process.version}, best of 3 alternating runs`);

interface Result {
  readonly events: number;
  readonly ms: number;
  readonly maxRssMb: number;
  readonly ok?: boolean;
  readonly counts?: unknown;
  readonly first?: unknown;
}
function measure(script: string): Result {
  const file = new URL(`./check/${script}.ts`, import.meta.url).pathname;
  return JSON.parse(execFileSync(process.execPath, ["--conditions=earshot-source", file, path], { encoding: "utf8" })) as Result;
}

const best: Record<string, Result> = {};
for (let round = 0; round < 3; round++) {
  for (const script of ["bare-parse", "earshot-check"]) {
    const result = measure(script);
    if (best[script] === undefined || result.ms < best[script].ms) best[script] = result;
  }
}
const bare = best["bare-parse"] as Result;
const ours = best["earshot-check"] as Result;
const rate = (result: Result) =>
  `${Math.round(result.events / (result.ms / 1000)).toLocaleString("en")} events/s, ${result.maxRssMb.toFixed(0)} MB at most`;
console.log(`bare line splitting + JSON.parse   ${rate(bare)}`);
console.log(`earshot check, one thread          ${rate(ours)}`);
console.log(`ratio                              ${(bare.ms / ours.ms).toFixed(2)} (at least 0.25 is asked for, 0.5 is the aim)`);
if (ours.ok !== true)
  console.log("The recording should conform, and does not:", JSON.stringify(ours.counts), JSON.stringify(ours.first, null, 1));
