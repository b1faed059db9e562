import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { EXIT, type Io } from "../io.ts";
import { VERSION } from "../version.ts";
import { check } from "./check.ts";

const RECORDING = fileURLToPath(new URL("../../recordings/rollback.aaep.jsonl", import.meta.url));

/** Until there is a hub to start, says so plainly and shows what works. */
export async function start(argv: readonly string[], io: Io): Promise<number> {
  if (argv.includes("--help") || argv.includes("-h")) {
    io.out("Usage: earshot [start]\n\nSays what Earshot can do today, and checks a bundled recording.\n");
    return EXIT.ok;
  }
  io.out(
    [
      `Earshot ${VERSION}`,
      "",
      "What works today: checking recordings of AI agents that speak AAEP, AEP or AOP.",
      "What does not yet: the hub that hears agents live, and its dashboard. There is no server to start.",
      "",
      "  npx earshot check FILE...    check recordings; also .gz, folders, and - for standard input",
      "  npx earshot rules            list the rules",
      "  npx earshot explain RULE     what a rule means, with examples",
      "",
      "As an example, a recording in which an agent deletes data although the person said no:",
      "",
      "",
    ].join("\n"),
  );
  // As short as it can be said from here.
  const nearby = relative(process.cwd(), RECORDING);
  await check([nearby.length < RECORDING.length ? nearby : RECORDING], io);
  return EXIT.ok;
}
