import { EarshotError } from "@earshot/protocol";
import { takeLock } from "../lock.ts";

/** A process that takes the lock, reports it, and holds it until it is killed. */
const [path = "", address] = process.argv.slice(2);
try {
  takeLock(path, { pid: process.pid, started: "2026-01-02T03:04:05.000Z", ...(address === undefined ? {} : { address }) });
} catch (error) {
  process.exit(EarshotError.is(error) && error.problem.code === "LEDGER_IN_USE" ? 9 : 1);
}
process.stdout.write("held\n");
setInterval(() => {}, 1000);
