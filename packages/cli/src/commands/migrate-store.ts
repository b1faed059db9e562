import { hubHomeOf } from "@earshot/hub/home";
import { formatCount } from "@earshot/narrate";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { command } from "../command.ts";
import { watchSteps } from "./backup.ts";
import { readStore } from "./start.ts";

export const migrateStoreCommand = command(
  {
    name: "migrate-store",
    positionals: ["URL"],
    about: `Copies the ledger from ~/.earshot/ledger.db into an empty PostgreSQL database, postgres://user@host:5432/database, and verifies both: the
file before, the database after. The hub must be stopped. The file stays as it is. If the copy is interrupted, run the command again.`,
    options: {
      json: { type: "boolean", default: false, about: "print the result as JSON" },
    },
    notes: "Exit code 0: the copy verifies. 1: the file or the copy does not verify. 2: the command failed.",
  },
  async ({ values, positionals }, io: CommandIo): Promise<number> => {
    const store = readStore(positionals[0] ?? "");
    const { migrateStore } = await import("@earshot/hub");
    const result = await watchSteps(migrateStore(hubHomeOf(process.env), store), io);
    const { ok, entries, sessions, firstBreak } = result;
    const what = `${formatCount(entries, "entry", "entries")} of ${formatCount(sessions, "session")}`;
    if (values.json) io.out(`${JSON.stringify({ store, ...result }, null, 2)}\n`);
    else if (ok) io.out(`The database has ${what}, and verifies. Start the hub on it: earshot start --store ${plainText(store)}\n`);
    else io.out(`What was copied does not verify. The first mismatch:\n  ${plainText(firstBreak?.message ?? "unknown")}\n`);
    return ok ? EXIT.ok : EXIT.found;
  },
);
