import { parseArgs } from "node:util";
import { explainDecision } from "@earshot/policy";
import {
  type AskedCount,
  type CorpusCall,
  compilePreset,
  countAsked,
  putCall,
  readCorpus,
} from "../packages/hub/src/gate-attacks/testing/count-asked.ts";

/**
 * Prints how many calls of a corpus each preset asks about, by group. A corpus is a file of JSON lines: `{ tool, command | input, group?,
 * agent?, expect: "ask" | "allow" }`. Without a file it uses the corpus of the gate's tests.
 */
const USAGE = "npm run bench:gate -- [--list] [--preset NAME]... [--why COMMAND] [FILE.jsonl...]";
const OWN = ["dangerous", "ordinary"].map((name) => new URL(`../packages/hub/src/gate-attacks/calls/${name}.jsonl`, import.meta.url));

const { values, positionals } = parseArgs({
  options: {
    list: { type: "boolean", default: false },
    preset: { type: "string", multiple: true, default: ["guard", "careful"] },
    why: { type: "string" },
    help: { type: "boolean", default: false },
  },
  allowPositionals: true,
});

if (values.help) console.log(USAGE);
else if (values.why !== undefined) await showReasons(values.why);
else {
  const calls = (positionals.length === 0 ? OWN : positionals).flatMap(readCorpus);
  for (const preset of values.preset) await report(preset, calls);
}

async function report(preset: string, calls: readonly CorpusCall[]): Promise<void> {
  const { dangerous, ordinary, groups, misses } = await countAsked(preset, calls);
  console.log(`\n${preset}`);
  const rows: readonly (readonly [string, AskedCount])[] = [["= dangerous, all", dangerous], ["= ordinary, all", ordinary], ...groups];
  for (const [name, { asked, total }] of rows.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const percent = total === 0 ? "" : `${((asked / total) * 100).toFixed(1)} %`;
    console.log(`  ${name.padEnd(44)} ${String(asked).padStart(4)} of ${String(total).padStart(4)} asked  ${percent}`);
  }
  for (const call of values.list ? misses : [])
    console.log(`  ${call.expect === "ask" ? "not asked" : "asked    "}  ${call.group ?? ""}  ${call.tool} ${textOf(call)}`);
}

async function showReasons(command: string): Promise<void> {
  const asked = await putCall({ tool: "Bash", command, expect: "ask" });
  for (const preset of values.preset) {
    const { ruling } = explainDecision(compilePreset(preset), asked);
    console.log(`${preset}: ${ruling.behaviour}\n  ${ruling.why.join("\n  ")}`);
  }
}

function textOf({ command, input }: CorpusCall): string {
  const text = JSON.stringify(command ?? input ?? "");
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
