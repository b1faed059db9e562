import { existsSync } from "node:fs";
import { hubHomeOf } from "@earshot/hub/home";
import { formatCount } from "@earshot/narrate";
import { EarshotError } from "@earshot/protocol/problem";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { createUsageError } from "@earshot/terminal/usage";
import { command } from "../command.ts";
import { findHub, linesOfResponse, requestFromHub } from "../hub-client.ts";

interface Verification {
  readonly ok: boolean;
  readonly entries: number;
  readonly sessions: number;
  readonly seals: number;
  readonly tombstones: number;
  readonly unsealed: number;
  readonly headPosition: number;
  readonly notProven: readonly string[];
  readonly firstBreak?: {
    readonly what: string;
    readonly message: string;
    readonly position?: number;
    readonly session?: { readonly id: string };
  };
}

interface Progress {
  readonly position: number;
  readonly headPosition: number;
}

type Step = { readonly progress: Progress } | { readonly result: Verification };

export const verifyCommand = command(
  {
    name: "hub verify",
    positionals: ["[SESSION]"],
    about: `Checks that nothing in the ledger was changed, removed or moved since it was written, and names the first place that does
not fit. With SESSION, only that session. The hub may be running or not.

Exit code 0: verifies. 1: does not. 2: cannot be checked.`,
    options: {
      json: { type: "boolean", default: false, about: "print the result as JSON" },
    },
  },
  async ({ values, positionals }, io: CommandIo): Promise<number> => {
    const [session, ...more] = positionals;
    if (more.length > 0) throw createUsageError("Name one session, or none.", "earshot hub verify [SESSION]");
    const result = await finish(await stepsFor(session), io);
    io.out(values.json === true ? `${JSON.stringify(result, null, 2)}\n` : describe(result));
    return result.ok ? EXIT.ok : EXIT.found;
  },
);

/** Through the running hub, which continues its work, or else from the file. */
async function stepsFor(session: string | undefined): Promise<AsyncIterable<Step>> {
  const hub = await findHub(process.env);
  if (hub !== undefined) {
    return parse(
      linesOfResponse(await requestFromHub(hub, `/api/verify${session === undefined ? "" : `?session=${encodeURIComponent(session)}`}`)),
    );
  }
  const { findStoredSession, isPostgresAddress, ledgerLocation, watchVerification } = await import("@earshot/hub");
  const home = hubHomeOf(process.env);
  const ledger = ledgerLocation(home);
  if (!isPostgresAddress(ledger) && !existsSync(ledger))
    throw new EarshotError({ code: "NOT_FOUND", message: `There is no ledger at ${ledger}.`, hint: "earshot start makes one." });
  const key = session === undefined ? undefined : await findStoredSession(ledger, session);
  return watchVerification(ledger, { folder: home.folder, session: key });
}

async function* parse(lines: AsyncIterable<string>): AsyncGenerator<Step> {
  for await (const line of lines) yield JSON.parse(line) as Step;
}

async function finish(steps: AsyncIterable<Step>, io: CommandIo): Promise<Verification> {
  for await (const step of steps) {
    if ("result" in step) {
      if (io.terminal.err) io.err("\r\u001b[K");
      return step.result;
    }
    const { position, headPosition } = step.progress;
    if (io.terminal.err) io.err(`\rVerifying … ${Math.floor((100 * position) / Math.max(1, headPosition))} %`);
  }
  throw new EarshotError({ code: "HUB_NOT_FOUND", message: "The hub stopped before it was done." });
}

function describe({ ok, entries, sessions, seals, tombstones, notProven, firstBreak }: Verification): string {
  const seen = `${formatCount(entries, "entry", "entries")} of ${formatCount(sessions, "session")}, ${formatCount(seals, "seal")}, ${formatCount(tombstones, "tombstone")}`;
  if (ok) return `The ledger verifies: ${seen}.\nNot proven:\n${notProven.map((one) => `  ${plainText(one)}\n`).join("")}`;
  const where = firstBreak?.session === undefined ? "" : ` in session ${plainText(firstBreak.session.id)}`;
  return `The ledger does not verify. The first mismatch${where}:\n  ${plainText(firstBreak?.message ?? "unknown")}\nBefore it: ${seen}.\nKeep the file as it is, and compare it with a backup.\n`;
}
