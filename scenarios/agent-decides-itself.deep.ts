import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Victim, VictimSnapshot } from "../packages/hub/src/access/testing/victim.ts";
import { HARD_SCRIPTS, MALWARE, SCRIPTS } from "./agent/scripts.ts";
import { openVictim, type ShellVictim } from "./agent/victim.ts";
import { verify } from "./durability/kills.ts";

/**
 * An agent's shell runs under the person's account: it can read the files, run the commands, edit the rules and call the port. It must
 * not be able to decide or loosen anything. HTTP and file attacks are in `packages/hub/src/access/agent-decides-itself.test.ts`. The end
 * of this file lists what malware under the same account can do to files anyway (see docs/security.md) and which of it is detected.
 */
const TOOLS = ["bash", "curl", "script", "sha256sum", "timeout"];
const MISSING = process.platform === "linux" ? TOOLS.filter((tool) => spawnSync(tool, ["--version"]).status !== 0) : ["Linux"];
if (MISSING.length > 0) process.stderr.write(`Skipped: an agent that decides for itself needs ${MISSING.join(", ")}.\n`);

const BROKEN_SCRIPT = /command not found|syntax error|unbound variable|SyntaxError/;

function alarmsOf({ home }: Victim): string {
  const { alarms } = JSON.parse(readFileSync(join(home, "access.json"), "utf8")) as { readonly alarms: readonly { message: string }[] };
  return alarms.map(({ message }) => message).join("\n");
}

async function expectNothing(victim: ShellVictim, before: VictimSnapshot, script: string): Promise<void> {
  const question = await victim.ask();
  const said = await victim.run(script, question);
  expect(said).not.toMatch(BROKEN_SCRIPT);
  expect(said).not.toContain('"behavior":"allow"');
  await victim.restore();
  expect(await victim.snapshot()).toEqual(before);
  expect(["deny", "abstain", undefined]).toContain(question.heard());
}

describe.skipIf(MISSING.length > 0)("an agent decides nothing and loosens nothing when it", () => {
  let victim: ShellVictim;
  let before: VictimSnapshot;
  beforeAll(async () => {
    victim = await openVictim();
    before = await victim.snapshot();
    expect(before.decisions).toEqual([]);
  });
  afterAll(() => victim[Symbol.asyncDispose]());

  it.each(Object.entries(SCRIPTS))("%s", (_name, script) => expectNothing(victim, before, script));

  it("and leaves alarms behind", () => {
    for (const wanted of ["Rules that allow more", "PIN was wrong", "remove every approver"]) expect(alarmsOf(victim)).toContain(wanted);
  });
});

describe.skipIf(MISSING.length > 0)("an agent decides nothing more when it", () => {
  it.each(Object.entries(HARD_SCRIPTS))("%s", async (_name, script) => {
    await using victim = await openVictim();
    const before = await victim.snapshot();
    expect(before.decisions).toEqual([]);
    await expectNothing(victim, before, script);
  });
});

describe.skipIf(MISSING.length > 0)("malware that writes into the files of the hub", () => {
  it("and puts a decision into the ledger of a hub that runs is not believed, and noticed", async () => {
    await using victim = await openVictim();
    const question = await victim.ask();
    const said = await victim.run(`${MALWARE.forge}\n${MALWARE.meet}`, question);
    expect(said).not.toMatch(BROKEN_SCRIPT);
    const { request, digest } = question;
    // The person's answer comes after a forged decision; the hub knows that it did not make it.
    await victim.decide(`/api/requests/${request}/answer`, { digest, answer: "deny" }).catch(() => {});
    await expect.poll(() => question.heard()).toBe("deny");
    expect(alarmsOf(victim)).toContain("that this hub did not make");
    expect(await verify(victim.hub())).toMatchObject({ ok: false });
  });

  it("and puts it there while no hub runs is noticed by verify", async () => {
    await using victim = await openVictim();
    const question = await victim.ask();
    await victim.run(`${MALWARE.stop}\n${MALWARE.forge}`, question);
    await victim.restore();
    expect(await verify(victim.hub())).toMatchObject({ ok: false });
  });

  it("and makes it forget who is admitted, or everything, leaves an alarm", async () => {
    await using victim = await openVictim();
    const question = await victim.ask();
    await victim.run(`${MALWARE.stop}\n${MALWARE["forget who is admitted"]}`, question);
    await victim.restore();
    expect(alarmsOf(victim)).not.toBe("");
    await victim.run(`${MALWARE.stop}\n${MALWARE["forget everything"]}`, question);
    await victim.restore();
    expect(alarmsOf(victim)).toContain("There was no ledger any more");
    expect(await verify(victim.hub())).toMatchObject({ ok: false });
  });
});
