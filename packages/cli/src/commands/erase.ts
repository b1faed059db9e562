import { parseArgs } from "node:util";
import type { ErasableEntry, EraseTarget } from "@earshot/hub";
import { homeOf } from "@earshot/hub/home";
import { EarshotError } from "@earshot/protocol/problem";
import { askHub, tellHub } from "../hub-client.ts";
import { EXIT, type Io } from "../io.ts";
import { confirm } from "../keeping/confirm.ts";
import { findOwnHub, toQuery } from "../keeping/own-hub.ts";
import { sizeInWords } from "../keeping/quantities.ts";
import { plainText } from "../terminal/plain-text.ts";
import { unlockHub } from "../unlock-hub.ts";
import { usage } from "../usage.ts";

export const ERASE_HELP = `Usage: earshot erase POSITION|EVENT_ID [--session ID] [--yes] [--json]

Removes the text of one entry beyond recovery, such as a secret that was said by mistake. AAEP and AEP events can be named by
their id, all of them by their position (earshot tail --json shows it).

  --session ID   the session it belongs to, where several have such an event
  --yes          do not ask
  --pin-stdin    with a hub running: read the PIN from standard input
  --json         print what was erased as JSON

When it was said, by whom and of which type it was stays, with a digest by which it is recognised should it come again, and a
signed tombstone: the ledger still verifies. Copies elsewhere are not touched: backups, exports, what listeners were told.
`;

export async function erase(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: {
      session: { type: "string" },
      yes: { type: "boolean", short: "y", default: false },
      "pin-stdin": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h" },
    },
    allowPositionals: true,
  });
  if (values.help === true) {
    io.out(ERASE_HELP);
    return EXIT.ok;
  }
  const [name = "", ...more] = positionals;
  if (name === "" || more.length > 0) throw usage("Name one entry.", "earshot erase POSITION, or earshot erase EVENT_ID");
  const target: EraseTarget = {
    ...(/^\d{1,15}$/.test(name) ? { position: Number(name) } : { event: name }),
    ...(values.session === undefined ? {} : { session: values.session }),
  };
  await using erasing = await openErasing(target, io, values["pin-stdin"]);
  const [entry, ...others] = await erasing.find();
  if (entry === undefined) throw new EarshotError({ code: "NOT_FOUND", message: "There is no such entry, or it was erased before." });
  if (others.length > 0) {
    io.err(`${[entry, ...others].map(describe).join("\n")}\n`);
    throw usage("Several entries have this id.", "Name the one that is meant by its position, or add --session.");
  }
  if (!values.json) io.err(`${describe(entry)}\n`);
  if (!(await confirm(io, "Erase its text, for good?", values.yes))) {
    io.out("Nothing was erased.\n");
    return EXIT.found;
  }
  const erased = await erasing.erase();
  if (values.json) io.out(`${JSON.stringify({ erased }, null, 2)}\n`);
  else {
    io.out(`The text of the entry at position ${erased.position} is erased. A signed tombstone says so.\n`);
    io.out("Backups and exports made before still have it.\n");
  }
  return EXIT.ok;
}

interface Erasing extends AsyncDisposable {
  find(): Promise<readonly ErasableEntry[]>;
  erase(): Promise<ErasableEntry>;
}

/** By the hub, when one is running; otherwise straight on the file. */
async function openErasing(target: EraseTarget, io: Io, pinStdin: boolean): Promise<Erasing> {
  const hub = await findOwnHub(process.env);
  if (hub !== undefined) {
    return {
      find: async () =>
        ((await (await askHub(hub, `/api/erase?${toQuery(target)}`)).json()) as { readonly entries: readonly ErasableEntry[] }).entries,
      erase: async () =>
        (await tellHub<{ readonly erased: ErasableEntry }>(await unlockHub(io, hub, { pinStdin }), "POST", "/api/erase", target)).erased,
      [Symbol.asyncDispose]: async () => {},
    };
  }
  const { openKeeping, eraseOne, findErasable } = await import("@earshot/hub");
  const keeping = await openKeeping(homeOf(process.env), (line) => io.err(`earshot: ${line}\n`));
  return {
    find: () => findErasable(target, keeping.ports.ledger),
    erase: () => eraseOne(target, keeping.ports),
    [Symbol.asyncDispose]: () => keeping[Symbol.asyncDispose](),
  };
}

function describe({ position, receivedAt, protocol, session, agent, type, sizeBytes }: ErasableEntry): string {
  const who = `${plainText(type)} of ${plainText(agent)} in session ${plainText(session)} (${protocol})`;
  return `Position ${position}: ${who}, received ${new Date(receivedAt).toISOString()}, ${sizeInWords(sizeBytes)}.`;
}
