import { join } from "node:path";
import { takeManifestKey } from "../../aaep/hub-manifest.ts";
import { SubscriptionFile } from "../../aaep/subscription-file.ts";
import { AccessStore } from "../../access/store.ts";
import { AttachmentFile } from "../../attach/attachment-file.ts";
import { hubHomeOf, readAddress, readHookKey, readLastStart, takeSecret } from "../../home.ts";
import { takeDroppedCount } from "../../hooks/hook-spool.ts";
import { judgeLocally, readAccepted } from "../../hooks/local-rules.ts";
import { readLockHolder } from "../../ledger/lock.ts";
import { appendToSealFile } from "../../ledger/seal-file.ts";
import { openSealKey } from "../../ledger/seal-key.ts";
import { HubLog } from "../../log.ts";
import { readRulesText } from "../../policy/watched-rules.ts";

/** A separate process, because a read that blocks on a pipe stops the whole process. Prints a line for each completed read. */
const [folder = ""] = process.argv.slice(2);
const fail = () => {};
const home = hubHomeOf({ EARSHOT_HOME: folder });
const key = "a key for tests";
const READS: Readonly<Record<string, () => unknown>> = {
  "hub-socket": () => hubHomeOf({ EARSHOT_HOME: folder }),
  "address.json": () => readAddress(home),
  "last-start.json": () => readLastStart(home),
  "hook.key": () => readHookKey(home),
  "policy.accepted.json": () => readAccepted(home.acceptedPolicy, key),
  "policy.yaml of a hook without a hub": () => judgeLocally(home, folder, { agent: "claude", moment: "action", tool: "Bash" }),
  "policy.yaml": () => readRulesText(home.policy),
  dropped: () => takeDroppedCount(home.hookSpool),
  "access.json": () => new AccessStore({ path: home.access, sealPath: home.accessSeal, sealKey: key }),
  "access.seal": () => new AccessStore({ path: join(folder, "other.json"), sealPath: home.accessSeal, sealKey: key }),
  "seal-key.pem": () => openSealKey(folder),
  "ledger.db.holder": () => readLockHolder(`${home.ledger}.holder`),
  "seals.jsonl": () => appendToSealFile(join(folder, "seals.jsonl"), "{}\n"),
  "attachments.json": () => new AttachmentFile(home.attachments, fail).read(),
  "aaep-subscriptions.jsonl": () => new SubscriptionFile(home.subscriptions, fail),
  "manifest.key": () => takeManifestKey(home.manifestKey),
  "hub.log": () => new HubLog(home.log, Date.now),
  "producer.token": () => takeSecret(home.producerToken),
};

for (const [name, read] of Object.entries(READS)) {
  try {
    await read();
  } catch {
    // Refusal is fine: the process must continue.
  }
  process.stdout.write(`${name}\n`);
}
process.stdout.write("all\n");
