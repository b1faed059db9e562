import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { mapPayload } from "@earshot/agents";
import { AgentFiles, shippedAgents } from "@earshot/agents/files";
import type { JsonValue } from "@earshot/protocol/json";
import { median, number } from "./ingest/figures.ts";

/**
 * Prints how many payloads of coding agents become AEP events in a second of processor time, beside parsing and writing the same payloads as JSON,
 * in the same run: each agent's own samples, one after the other, again and again.
 */
const { values } = parseArgs({
  options: { payloads: { type: "string", default: "60000" }, rounds: { type: "string", default: "5" } },
});
const count = Number(values.payloads);
const files = new AgentFiles();
const rows: { readonly slug: string; readonly map: number; readonly json: number; readonly bytes: number }[] = [];

for (const slug of shippedAgents()) {
  const agent = await files.agent(slug);
  if (agent === undefined) continue;
  const texts = samplesOf(slug);
  const payloads = texts.map(({ text, hook }) => ({ hook, payload: JSON.parse(text) as JsonValue }));
  let id = 0;
  const ids = () => `evt_${++id}`;
  const map = () => {
    let events = 0;
    for (let index = 0; index < count; index++) {
      const { payload, hook } = payloads[index % payloads.length] as (typeof payloads)[number];
      events += mapPayload(agent.mapping, payload, { hook, now: 1_788_250_462_104, ids }).events.length;
    }
    return events;
  };
  const json = () => {
    let characters = 0;
    for (let index = 0; index < count; index++)
      characters += JSON.stringify(JSON.parse((texts[index % texts.length] as { text: string }).text)).length;
    return characters;
  };
  map();
  json();
  const rounds = Array.from({ length: Number(values.rounds) }, () => ({ map: perSecond(map), json: perSecond(json) }));
  const bytes = texts.reduce((sum, { text }) => sum + text.length, 0) / texts.length;
  rows.push({ slug, bytes, map: median(rounds.map((round) => round.map)), json: median(rounds.map((round) => round.json)) });
}

console.log(
  `${number(count)} payloads per round, median of ${values.rounds} rounds. Node ${process.version}, ${availableParallelism()} cores, one thread, from source.`,
);
console.log("\nagent          bytes   mapped/s   parsed and written/s   ratio");
for (const { slug, map, json, bytes } of rows) console.log(line(slug, bytes, map, json));
const slowest = rows.reduce((a, b) => (a.map < b.map ? a : b));
console.log(`\nslowest: ${slowest.slug} with ${number(slowest.map)} payloads/s (at least 100,000 are asked for)`);

function line(slug: string, bytes: number, map: number, json: number): string {
  return `${slug.padEnd(12)} ${number(bytes).padStart(7)} ${number(map).padStart(10)} ${number(json).padStart(22)} ${number(map / json, 2).padStart(7)}`;
}

/** As an agent writes them: without white space. The hook is named beside those that do not name it. */
function samplesOf(slug: string): readonly { readonly text: string; readonly hook: string }[] {
  const folder = new URL(`../packages/agents/agents/${slug}/samples/`, import.meta.url);
  return readdirSync(folder).map((name) => ({
    hook: name.replace(/(--.*)?\.json$/, ""),
    text: JSON.stringify(JSON.parse(readFileSync(new URL(name, folder), "utf8"))),
  }));
}

/** By the processor's clock, not the wall's: other programs on the machine do not count. */
function perSecond(run: () => number): number {
  const began = process.cpuUsage();
  const done = run();
  const { user, system } = process.cpuUsage(began);
  if (done === 0) throw new Error("Nothing was done.");
  return count / ((user + system) / 1e6);
}
