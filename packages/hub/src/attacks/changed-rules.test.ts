import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { callJson, prepareAdmin } from "../access/testing/test-device.ts";
import { hubHomeOf } from "../home.ts";
import { startHub } from "../hub.ts";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";

const LOOSE = "rules:\n  - { name: one, match: { tool: Bash, command: wipe }, answer: ask }\n";
const STRICT = "rules:\n  - { name: one, match: { tool: Bash, command: wipe }, answer: deny }\n";
const MESSAGE = "not those that were in force when the hub last ran";

async function openPlace() {
  const folder = temporaryTestFolder();
  const home = hubHomeOf({ EARSHOT_HOME: folder.file("home") });
  const admin = await prepareAdmin(home);
  /** Runs a hub with these rules, accepts them if required, and returns its alarms. */
  const run = async (rules: string): Promise<string> => {
    writeFileSync(home.policy, rules);
    await using hub = await startHub({ home, version: "0.0.0", port: 0 });
    const { pending } = (await callJson(hub.url, "/api/policy", undefined, admin)) as { pending: { hash: string } | null };
    if (pending !== null) await callJson(hub.url, "/api/policy/accept", { hash: pending.hash }, admin);
    const { alarms } = (await callJson(hub.url, "/api/me", undefined, admin)) as { alarms: readonly { message: string }[] };
    return alarms.map(({ message }) => message).join("\n");
  };
  return { home, run, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

describe("leaves an alarm: a program of the same account changes the accepted rules while no hub is running", () => {
  it("by putting back an older ledger, whose rules let more through", async () => {
    using place = await openPlace();
    const { home, run } = place;
    await run(LOOSE);
    copyFileSync(home.ledger, `${home.ledger}.old`);
    expect(await run(STRICT)).not.toContain(MESSAGE);
    expect(await run(STRICT)).not.toContain(MESSAGE);
    copyFileSync(`${home.ledger}.old`, home.ledger);
    expect(await run(LOOSE)).toContain(MESSAGE);
  });

  it("by removing the copy that hooks read", async () => {
    using place = await openPlace();
    await place.run(STRICT);
    rmSync(place.home.acceptedPolicy);
    expect(await place.run(STRICT)).toContain(MESSAGE);
  });

  it("by emptying the ledger", async () => {
    using place = await openPlace();
    await place.run(STRICT);
    const db = new DatabaseSync(place.home.ledger);
    db.exec(
      `${["request", "answerable", "entry", "session", "seal"].map((table) => `DELETE FROM ${table};`).join("")} UPDATE ledger SET head = 0`,
    );
    db.close();
    rmSync(join(place.home.folder, "seals.jsonl"));
    expect(await place.run(LOOSE)).toContain(MESSAGE);
  });
});
