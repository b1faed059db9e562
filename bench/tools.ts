import { createReadStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readPlaylist } from "../packages/cli/src/replay/read-playlist.ts";
import { generateRecording } from "./check/generate-recording.ts";
import { type Child, startHub } from "./ingest/child.ts";
import { peakMegabytes, runTool } from "./tools/run-tool.ts";

/**
 * One large recording through all that is done with recordings: replayed into a hub as fast as it takes it, captured from there,
 * captured from a program's output, checked and drawn. Each in a process of its own, with its memory at its highest, and its rate
 * beside bare line splitting and JSON.parse of the same file in the same run.
 */
const { values } = parseArgs({
  options: { events: { type: "string", default: "1000000" }, only: { type: "string", default: "replay,capture,check,visualize" } },
});
const wanted = Number(values.events);
const parts = values.only.split(",");
const MOST_MB = 300;
const root = new URL("../", import.meta.url).pathname;
const EARSHOT = join(root, "packages/cli/bin/earshot.cjs");
const CACHE = join(root, ".cache/bench");
const folder = mkdtempSync(join(tmpdir(), "earshot-bench-tools-"));
const missing = ["capture", "replay", "check", "visualize"].filter(
  (name) => !existsSync(join(root, `packages/cli/src/commands/${name}.ts`)),
);
let failures = 0;

try {
  const recording = await recordingOf(wanted);
  const lines = await countLines(recording);
  const megabytes = statSync(recording).size / 1e6;
  console.log(
    `${number(lines)} events of AAEP, AEP and AOP, ${megabytes.toFixed(0)} MB; Node ${process.version}, ${availableParallelism()} cores. ` +
      `Each in its own process; less than ${MOST_MB} MB is asked for.`,
  );
  const bare = await runTool([join(root, "bench/check/bare-parse.ts"), recording]);
  const { ms } = JSON.parse(bare.stdout) as { readonly ms: number };
  const bareRate = lines / (ms / 1000);
  console.log(`${"line splitting and JSON.parse alone".padEnd(44)} ${number(bareRate)} events/s, ${bare.peakMb.toFixed(0)} MB`);
  const measure = async (name: string, words: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    if (missing.includes(words[0] ?? "")) {
      failures++;
      console.log(`${name.padEnd(44)} SKIPPED: there is no command "earshot ${words[0]}" yet`);
      return;
    }
    const run = await runTool([EARSHOT, ...words], env);
    const rate = lines / (run.ms / 1000);
    const isSmall = run.peakMb < MOST_MB;
    const isDone = run.code === 0 || (run.code === 1 && words[0] === "check");
    if (!isSmall || !isDone) failures++;
    console.log(
      `${name.padEnd(44)} ${number(rate)} events/s, ratio ${(rate / bareRate).toFixed(2)}; ` +
        `${run.peakMb.toFixed(0)} MB at most, ${isSmall ? `below ${MOST_MB}` : `NOT BELOW ${MOST_MB}`}${isDone ? "" : `; FAILED with ${run.code}`}`,
    );
    const said = run.stderr
      .trim()
      .split("\n")
      .slice(0, isDone ? 3 : 20);
    if (said.join("") !== "") console.log(said.map((line) => `    ${line.slice(0, 200)}`).join("\n"));
  };
  if (parts.includes("check")) await measure("earshot check", ["check", recording, "--json", "--out", join(folder, "report.json")]);
  if (parts.includes("visualize")) {
    for (const format of ["svg", "html"]) {
      const out = join(folder, `trace.${format}`);
      await measure(`earshot visualize --format ${format}`, ["visualize", recording, "--format", format, "--out", out]);
      if (existsSync(out)) console.log(`    ${(statSync(out).size / 1e6).toFixed(1)} MB of ${format}`);
    }
  }
  if (parts.includes("replay")) await replayAndCapture(recording, measure);
  if (parts.includes("capture")) {
    const out = join(folder, "printed.jsonl");
    await measure("earshot capture -- cat", ["capture", "-o", out, "--", "cat", recording]);
    await compare(out, recording);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (failures > 0) {
  console.log(`${failures} of these did not do what is asked for.`);
  process.exitCode = 1;
}

type Measure = (name: string, words: readonly string[], env?: Readonly<Record<string, string>>) => Promise<void>;

async function replayAndCapture(recording: string, measure: Measure): Promise<void> {
  const home = join(folder, "home");
  await using hub: Child = await startHub(home);
  const env = { EARSHOT_HOME: home, EARSHOT_URL: "" };
  await measure("earshot replay --speed max, into a hub", ["replay", recording, "--speed", "max"], env);
  console.log(`    the hub itself: ${peakMegabytes(hub.pid, Number.NaN).toFixed(0)} MB at most`);
  if (!parts.includes("capture")) return;
  const out = join(folder, "captured.jsonl");
  await measure("earshot capture --all --no-follow, from the hub", ["capture", "--all", "--no-follow", "-o", out], env);
  await compare(out, recording);
}

/** Messages travel beside the events, and are no part of what is captured. */
async function compare(captured: string, recording: string): Promise<void> {
  if (!existsSync(captured)) return;
  const [there, all] = [await countLines(captured), await countEvents(recording)];
  if (there !== all) failures++;
  console.log(`    ${number(there)} events captured, of ${number(all)} in the recording${there === all ? "" : ": NOT THE SAME"}`);
}

async function countEvents(recording: string): Promise<number> {
  let events = 0;
  for await (const part of readPlaylist(recording)) for (const one of part) if ("text" in one && one.kind === "event") events++;
  return events;
}

/** At least so many events; made once. */
async function recordingOf(events: number): Promise<string> {
  mkdirSync(CACHE, { recursive: true });
  const path = join(CACHE, `tools-${events}.jsonl`);
  if (existsSync(path)) return path;
  const sample = await generateRecording(join(folder, "sample.jsonl"), 4e6, 1);
  await generateRecording(`${path}.new`, (sample.bytes / sample.events) * events, 7);
  renameSync(`${path}.new`, path);
  return path;
}

async function countLines(path: string): Promise<number> {
  let lines = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++;
  }
  return lines;
}

function number(value: number): string {
  return Math.round(value).toLocaleString("en");
}
