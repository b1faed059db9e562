import { formatCount, formatNumber } from "@earshot/narrate";
import { EarshotError } from "@earshot/protocol";
import { findInputs } from "@earshot/recordings/check";
import { createImportProgress, type ImportResult, importFile } from "@earshot/recordings/import";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { command } from "../command.ts";
import { findHub } from "../hub-client.ts";

const IN_FOLDERS = "**/*.{jsonl,ndjson,json,jsonl.gz,ndjson.gz,json.gz,db,sqlite,sqlite3}";
const PROBLEMS_SHOWN = 20;

export const importCommand = command(
  {
    name: "import",
    positionals: ["FILE…"],
    about: `Imports recorded events into the ledger. FILE is an AOP collector's database (~/.aop/events.db), a recording of AAEP, AEP or AOP
events (JSON lines or a JSON array, plain or gzip), or a folder of these; - is standard input. The format is detected from the
content. The files are only read.`,
    options: {
      "dry-run": { type: "boolean", default: false, about: "read and count, store nothing; needs no hub" },
      json: { type: "boolean", default: false, about: "print the result for each file as JSON" },
    },
    notes: `Importing again, for example after an interruption, stores nothing twice. Events that cannot be read are listed and skipped.

Exit code 0: everything is stored. 1: something was damaged or refused. 2: the import failed.`,
  },
  async ({ values, positionals }, io: CommandIo): Promise<number> => {
    const isDry = values["dry-run"] === true;
    const files = await findInputs(positionals, IN_FOLDERS);
    const url = isDry ? undefined : await hubUrl();
    const results: ImportResult[] = [];
    const progress = createImportProgress(io);
    for (const file of files) {
      const { onProgress, onWait } = progress;
      results.push(await importFile(file, { stdin: io.stdin, onProgress, onWait, ...(url === undefined ? {} : { url }) }));
      progress.end();
    }
    io.out(
      values.json === true ? `${JSON.stringify({ dryRun: isDry, files: results }, null, 2)}\n` : results.map(describe(isDry)).join(""),
    );
    return results.every((result) => result.damaged + result.refused === 0 && result.stopped === undefined) ? EXIT.ok : EXIT.found;
  },
);

async function hubUrl(): Promise<string> {
  const hub = await findHub(process.env);
  if (hub !== undefined) return hub.url;
  throw new EarshotError({
    code: "HUB_NOT_FOUND",
    message: "No hub answers, and only a hub writes to its ledger.",
    hint: "Start one with `earshot start` in another terminal, and import again. --dry-run needs none.",
  });
}

const describe = (isDry: boolean) => (result: ImportResult) => {
  const { file, kind, events, stored, known, refused, flagged, damaged, problems, stopped } = result;
  const what = kind === "collector database" ? "an AOP collector's database" : "a recording";
  const lines = [
    isDry
      ? `${plainText(file)}, ${what}: ${formatCount(events - damaged, "event")} to import, ${formatNumber(damaged)} damaged.`
      : `${plainText(file)}, ${what}: ${formatCount(events, "event")}; ${formatNumber(stored)} stored, ${formatNumber(known)} there already, ${formatNumber(refused)} refused, ${formatNumber(damaged)} damaged.`,
  ];
  for (const { place, message, code } of problems.slice(0, PROBLEMS_SHOWN)) {
    lines.push(`  ${place}: ${plainText(message)}${code === undefined ? "" : ` (${code})`}`);
  }
  const unnamed = refused + damaged - Math.min(problems.length, PROBLEMS_SHOWN);
  if (unnamed > 0) lines.push(`  and ${formatCount(unnamed, "other")}.`);
  if (flagged > 0) lines.push(`  ${formatCount(flagged, "event")} stored with a flag, because of what the session said before.`);
  if (stopped !== undefined) lines.push(`  ${plainText(stopped)}`);
  return `${lines.join("\n")}\n`;
};
