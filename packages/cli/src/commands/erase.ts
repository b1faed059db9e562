import type { ErasableEntry, EraseTarget } from "@earshot/hub";
import { hubHomeOf } from "@earshot/hub/home";
import { formatSize } from "@earshot/narrate";
import { EarshotError } from "@earshot/protocol/problem";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { createUsageError } from "@earshot/terminal/usage";
import { command } from "../command.ts";
import { changeAtHub, requestFromHub } from "../hub-client.ts";
import { confirmIrreversible, findOwnHub, toQuery, unlockHub } from "../own-hub.ts";

export const eraseCommand = command(
  {
    name: "hub erase",
    positionals: ["POSITION|EVENT_ID"],
    about: `Removes the text of one entry beyond recovery, such as a secret that was sent by mistake. Name an AAEP or AEP event by
its id, or any entry by its position (earshot tail --json shows it).`,
    options: {
      session: { type: "string", value: "ID", about: "the session, if several have an event with this id" },
      yes: { type: "boolean", short: "y", default: false, about: "do not ask" },
      "pin-stdin": { type: "boolean", default: false, about: "with a hub running: read the PIN from standard input" },
      json: { type: "boolean", default: false, about: "print what was erased as JSON" },
    },
    notes: `Time, source, type and a digest stay, with a signed tombstone, so the ledger still verifies. The digest keeps the same event from being
stored again. Copies elsewhere are not erased: backups, exports, and what listeners have received.`,
  },
  async ({ values, positionals }, io: CommandIo): Promise<number> => {
    const [name = ""] = positionals;
    const target: EraseTarget = {
      ...(/^\d{1,15}$/.test(name) ? { position: Number(name) } : { event: name }),
      ...(values.session === undefined ? {} : { session: values.session }),
    };
    await using erasing = await openErasing(target, io, values["pin-stdin"]);
    const [entry, ...others] = await erasing.find();
    if (entry === undefined) throw new EarshotError({ code: "NOT_FOUND", message: "There is no such entry, or it was erased before." });
    if (others.length > 0) {
      io.err(`${[entry, ...others].map(describe).join("\n")}\n`);
      throw createUsageError("Several entries have this id.", "Name the one that is meant by its position, or add --session.");
    }
    if (!values.json) io.err(`${describe(entry)}\n`);
    if (!(await confirmIrreversible(io, "Erase its text permanently?", values.yes))) {
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
  },
);

interface Erasing extends AsyncDisposable {
  find(): Promise<readonly ErasableEntry[]>;
  erase(): Promise<ErasableEntry>;
}

/** Through the running hub, or else directly on the file. */
async function openErasing(target: EraseTarget, io: CommandIo, pinStdin: boolean): Promise<Erasing> {
  const hub = await findOwnHub(process.env);
  if (hub !== undefined) {
    return {
      find: async () =>
        ((await (await requestFromHub(hub, `/api/erase?${toQuery(target)}`)).json()) as { readonly entries: readonly ErasableEntry[] })
          .entries,
      erase: async () =>
        (await changeAtHub<{ readonly erased: ErasableEntry }>(await unlockHub(io, hub, { pinStdin }), "POST", "/api/erase", target))
          .erased,
      [Symbol.asyncDispose]: async () => {},
    };
  }
  const { openKeeping, eraseOne, findErasable, ledgerLocation } = await import("@earshot/hub");
  const home = hubHomeOf(process.env);
  const keeping = await openKeeping(home, ledgerLocation(home), (line) => io.err(`earshot: ${line}\n`));
  return {
    find: () => findErasable(target, keeping.ledger),
    erase: () => eraseOne(target, keeping),
    [Symbol.asyncDispose]: () => keeping[Symbol.asyncDispose](),
  };
}

function describe({ position, receivedAt, protocol, session, agent, type, sizeBytes }: ErasableEntry): string {
  const who = `${plainText(type)} of ${plainText(agent)} in session ${plainText(session)} (${protocol})`;
  return `Position ${position}: ${who}, received ${new Date(receivedAt).toISOString()}, ${formatSize(sizeBytes)}.`;
}
