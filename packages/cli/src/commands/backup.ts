import { resolve } from "node:path";
import type { BackupStep } from "@earshot/hub";
import { hubHomeOf } from "@earshot/hub/home";
import { formatCount } from "@earshot/narrate";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { command } from "../command.ts";

type Result = Extract<BackupStep, { readonly result: unknown }>["result"];

export const backupCommand = command(
  {
    name: "hub backup",
    positionals: ["FOLDER"],
    usage: ["--verify FOLDER"],
    about: `Copies the ledger, its seals and the key that verifies them into a new folder, and verifies the copy. The hub may be running:
the copy is a snapshot. Existing files are never overwritten.`,
    options: {
      verify: { type: "boolean", default: false, about: "verify a copy that was made before" },
      "with-key": {
        type: "boolean",
        default: false,
        about: "include the private key: needed to restore on another machine; anyone who has it can sign as this hub",
      },
      json: { type: "boolean", default: false, about: "print the result as JSON" },
    },
    notes: `To restore: stop the hub, put ledger.db and seals.jsonl back into ~/.earshot, remove ledger.db-wal and ledger.db-shm, start the hub.

Exit code 0: the copy verifies. 1: it does not, and no backup was made. 2: the command failed.`,
  },
  async ({ values, positionals }, io: CommandIo): Promise<number> => {
    const [name = ""] = positionals;
    const folder = resolve(name);
    const home = hubHomeOf(process.env);
    const { backUp, ledgerLocation, verifyBackup } = await import("@earshot/hub");
    const steps = values.verify
      ? verifyBackup(folder)
      : backUp(home, folder, { location: ledgerLocation(home), withKey: values["with-key"] });
    const result = await watchSteps(steps, io);
    io.out(values.json ? `${JSON.stringify({ folder, ...result }, null, 2)}\n` : describe(folder, result, values.verify));
    return result.ok ? EXIT.ok : EXIT.found;
  },
);

/** Shows the progress and returns the result. */
export async function watchSteps(steps: AsyncIterable<BackupStep>, io: CommandIo): Promise<Result> {
  const tell = (text: string) => io.terminal.err && io.err(`\r\u001b[K${text}`);
  const percent = (done: number, of: number) => `${Math.floor((100 * done) / Math.max(1, of))} %`;
  let result: Result | undefined;
  for await (const step of steps) {
    if ("result" in step) result = step.result;
    else if ("copied" in step) tell(`Copying … ${percent(step.copied.done, step.copied.of)}`);
    else tell(`Verifying … ${percent(step.progress.position, step.progress.headPosition)}`);
  }
  tell("");
  if (result === undefined) throw new Error("The copy was not verified.");
  return result;
}

function describe(folder: string, { ok, entries, sessions, firstBreak }: Result, isOld: boolean): string {
  const what = `${formatCount(entries, "entry", "entries")} of ${formatCount(sessions, "session")}`;
  if (ok) return `${isOld ? "The backup" : "A backup was made, and"} verifies: ${plainText(folder)}, ${what}.\n`;
  const why = `  ${plainText(firstBreak?.message ?? "unknown")}\n`;
  if (isOld) return `The backup does not verify. The first mismatch:\n${why}`;
  return `No backup was made: the copy does not verify. The first mismatch:\n${why}If the ledger itself does not verify either (earshot hub verify), copy the folder as it is, with the hub stopped.\n`;
}
