import { mkdirSync } from "node:fs";
import { hubHomeOf } from "../../home.ts";
import { startHub } from "../../hub.ts";
import { temporaryTestFolder } from "../../ledger/testing/temporary-folder.ts";
import { prepareAdmin } from "./test-device.ts";
import { openVictimAt, type Victim, writeRules } from "./victim.ts";

/** A victim whose hub runs in this process. */
export async function openVictimHere(): Promise<Victim> {
  const folder = temporaryTestFolder();
  const home = hubHomeOf({ EARSHOT_HOME: folder.file(".earshot") });
  const repository = folder.file("shop");
  const approver = await prepareAdmin(home, "Ana's phone");
  mkdirSync(repository);
  writeRules({ home: home.folder, repository });
  const hub = await startHub({ home, version: "0.0.0", port: 0 });
  const victim = await openVictimAt({ url: hub.url, home: home.folder, repository, approver });
  return {
    ...victim,
    async [Symbol.asyncDispose]() {
      await victim[Symbol.asyncDispose]();
      await hub.close();
      folder[Symbol.dispose]();
    },
  };
}
