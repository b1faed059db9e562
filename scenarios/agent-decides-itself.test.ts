import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HARD_SCRIPTS, MALWARE, SCRIPTS } from "./agent/scripts.ts";
import { openVictim, type Question, type Snapshot, type Victim } from "./agent/victim.ts";
import { verify } from "./durability/kills.ts";

/**
 * An agent's shell is the same user as the person's: it reads the files, runs the commands, edits the rules and calls the port.
 * With all of that it decides nothing and loosens nothing. What malware of the same user can do to the files all the same is
 * told in docs/security.md, and what is noticed of it is at the end.
 */
const TOOLS = ["bash", "curl", "script", "sha256sum", "timeout"];
const MISSING = process.platform === "linux" ? TOOLS.filter((tool) => spawnSync(tool, ["--version"]).status !== 0) : ["Linux"];
if (MISSING.length > 0) process.stderr.write(`Skipped: an agent that decides for itself needs ${MISSING.join(", ")}.\n`);

const BROKEN_SCRIPT = /command not found|syntax error|unbound variable|SyntaxError/;

async function expectUnchanged(victim: Victim, before: Snapshot, question: Question): Promise<void> {
  await victim.restore();
  expect(await victim.snapshot()).toEqual(before);
  expect(["deny", "abstain", undefined]).toContain(question.heard());
}

function alarmsOf({ home }: Victim): string {
  const { alarms } = JSON.parse(readFileSync(join(home, "access.json"), "utf8")) as { readonly alarms: readonly { message: string }[] };
  return alarms.map(({ message }) => message).join("\n");
}

const scriptOf = (name: string): string => {
  const { script } = SCRIPTS[name] ?? {};
  if (script === undefined) throw new Error(`There is no script ${name}.`);
  return script;
};

describe.skipIf(MISSING.length > 0)("an agent decides nothing and loosens nothing when it", () => {
  let victim: Victim;
  let before: Snapshot;
  beforeAll(async () => {
    victim = await openVictim();
    before = await victim.snapshot();
    expect(before.decisions).toEqual([]);
  });
  afterAll(() => victim[Symbol.asyncDispose]());

  it.each(Object.entries(SCRIPTS).filter(([, { before: first }]) => first === undefined))("%s", async (_name, { script }) => {
    const question = await victim.ask();
    const said = await victim.run(script, question);
    expect(said).not.toMatch(BROKEN_SCRIPT);
    expect(said).not.toContain('"behavior":"allow"');
    await expectUnchanged(victim, before, question);
  });

  it("and leaves alarms behind", () => {
    const told = alarmsOf(victim);
    for (const wanted of ["Rules that allow more", "rules of a repository", "PIN was wrong", "remove every approver"]) {
      expect(told).toContain(wanted);
    }
  });
});

describe.skipIf(MISSING.length > 0)("an agent decides nothing more when it", () => {
  it("asks the same with another input after it was approved, or sends again what an approver sent", async () => {
    await using victim = await openVictim();
    const question = await victim.ask();
    const { digest, request } = question;
    await victim.decide(`/api/requests/${request}/answer`, { digest, answer: "allow" });
    const before = await victim.snapshot();
    expect(before.decisions).toEqual([`${request} allow by Ana's phone: answered-by-person`]);
    const said = await victim.run(scriptOf("asks the same with another input after it was approved"), question);
    expect(said).not.toContain('"behavior":"allow"');
    expect(said).toContain("DIGEST_DIFFERS");
    expect(await victim.snapshot()).toEqual(before);
    await expect.poll(() => question.heard()).toBe("allow"); // what was approved is what was let through

    const next = await victim.ask();
    const confirming = await victim.read(`/api/requests/${next.confirmation}`);
    await victim.decide(`/api/requests/${next.confirmation}/answer`, { digest: confirming["digest"], answer: "accept", reason: "Fine." });
    const decided = await victim.snapshot();
    await victim.run(scriptOf("sends again what an approver sent"), next);
    await expectUnchanged(victim, decided, next);
  });

  it.each(Object.entries(HARD_SCRIPTS))("%s", async (_name, { script }) => {
    await using victim = await openVictim();
    const before = await victim.snapshot();
    const question = await victim.ask();
    const said = await victim.run(script, question);
    expect(said).not.toMatch(BROKEN_SCRIPT);
    expect(said).not.toContain('"behavior":"allow"');
    await expectUnchanged(victim, before, question);
    expect(before.decisions).toEqual([]);
  });
});

describe.skipIf(MISSING.length > 0)("with a gate that lets everybody decide who reads the user's files", () => {
  const TOLD_BY = [
    ["answers its own request with everything that could be a credential", "decisions"],
    ["makes itself a token", "approvers"],
    ["accepts its own rules over HTTP", "rules"],
    ["pauses, is away, is there, stops and lifts", "control"],
  ] as const;
  let victim: Victim;
  beforeAll(async () => {
    victim = await openVictim(resolve("scenarios/agent/spoilt-hub.ts"));
  });
  afterAll(() => victim[Symbol.asyncDispose]());

  it.each(TOLD_BY)("it would be noticed that an agent %s, by its %s", async (name, what) => {
    const before = await victim.snapshot();
    await victim.run(scriptOf(name), await victim.ask());
    const after = await victim.snapshot();
    expect(after[what]).not.toEqual(before[what]);
    // What is answered to the same question tells, too.
    if (what === "rules") expect(after.answers).not.toEqual(before.answers);
  });
});

describe.skipIf(MISSING.length > 0)("malware that writes into the files of the hub", () => {
  it("and puts a decision into the ledger of a hub that runs is not believed, and noticed", async () => {
    await using victim = await openVictim();
    const question = await victim.ask();
    const said = await victim.run(`${MALWARE.forge}\n${MALWARE.meet}`, question);
    expect(said).not.toMatch(BROKEN_SCRIPT);
    const { request, digest } = question;
    // Somebody says no to it, and hears that it had been decided: the hub knows that it was not.
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
