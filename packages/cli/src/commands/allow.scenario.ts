import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OwnHub, ownHub, PIN } from "../inbox/testing/own-hub.ts";
import { HAS_PTY } from "../inbox/testing/pty.ts";

let own: OwnHub;
beforeAll(async () => {
  own = await ownHub();
});
afterAll(() => own[Symbol.asyncDispose]());

const digestOf = async (id: string) => (await own.read(`/api/requests/${id}`))["digest"];

describe.skipIf(!HAS_PTY)("allow, deny and answer at a terminal", () => {
  it("allows with the PIN, by the beginning of the id, and shows what it is about first", async () => {
    const id = await own.ask();
    const { code, shown } = await own.run(["allow", id.slice(4, 11), "--reason", "tests are fine"], PIN);
    expect(shown).toMatch(
      /Claude Code in shop wants to run npm test\n[\s\S]*PIN \(not shown;.*\n+Allowed by the PIN at \d\d:\d\d\. Reason: “tests are fine”/,
    );
    expect(code).toBe(0);
    expect(await own.heard(id)).toMatchObject({ control: { behavior: "allow" } });
  });

  it("allows with a change, which is what the agent hears", async () => {
    const id = await own.ask({ command: "npm test", timeout: 5 });
    const { code } = await own.run(["allow", id, "--edit", '/command="npm run test:fast"', "--edit", "/timeout=1"], PIN);
    expect(code).toBe(0);
    expect(await own.heard(id)).toMatchObject({
      control: { behavior: "allow", updated_input: { command: "npm run test:fast", timeout: 1 } },
    });
  });

  it("asks twice before what cannot be undone, and leaves it for anything but yes", async () => {
    const id = await own.ask({ command: "git push --force" });
    const left = await own.run(["allow", id], "y");
    expect([left.code, left.shown]).toEqual([1, expect.stringContaining("nothing was decided")]);
    expect(await own.read(`/api/requests/${id}`)).toMatchObject({ state: "open" });
    expect((await own.run(["allow", id], "yes", PIN)).code).toBe(0);
  });

  it("denies, and tells the agent why", async () => {
    const id = await own.ask();
    expect((await own.run(["deny", id, "--reason", "wrong branch"], PIN)).shown).toContain("Denied by the PIN");
    expect(await own.heard(id)).toMatchObject({
      control: { behavior: "deny", message: "wrong branch" },
      decision: { reason: "wrong branch" },
    });
  });

  it("answers a question by the number of a choice", async () => {
    await own.say(clarification("c1"));
    const asked = async () =>
      ((await own.read("/api/requests?state=open&session=sess_c1"))["requests"] as readonly { readonly id: string }[])[0]?.id;
    await expect.poll(asked).toBeDefined();
    const id = (await asked()) ?? "";
    const refused = await own.run(["allow", id]);
    expect([refused.code, refused.shown]).toEqual([2, expect.stringContaining("earshot answer")]);
    const { code, shown } = await own.run(["answer", id, "2"], PIN);
    expect([code, shown]).toEqual([0, expect.stringContaining("Answered by the PIN")]);
    expect(await own.read(`/api/requests/${id}`)).toMatchObject({ decision: { answer: { word: "respond", response: "prod" } } });
  });

  it("answers the questions that an agent's tool lists, in its own input", async () => {
    const questions = [{ question: "Which database?", options: [{ label: "Staging" }, { label: "Production" }] }];
    const id = await own.ask({ questions }, { tool: { name: "AskUserQuestion", type: "native" } });
    expect((await own.run(["answer", id, "Staging"], PIN)).code).toBe(0);
    const heard = await own.heard(id);
    expect(heard).toMatchObject({ control: { behavior: "allow" } });
    expect(JSON.stringify(heard)).toContain('"Which database?":"Staging"');
  });

  it("says who was first and when, where somebody else was, with exit code 1", async () => {
    const id = await own.ask();
    await own.decide(`/api/requests/${id}/answer`, { digest: await digestOf(id), answer: "deny" });
    const { code, shown } = await own.run(["allow", id], PIN);
    expect(code).toBe(1);
    expect(shown).toMatch(
      /Too late: it had ended before\. Denied by the PIN at \d\d:\d\d\.\nYour answer was recorded and changed nothing\./,
    );
  });

  it("tells silence as no answer, and keeps a late yes for when the same is asked again", async () => {
    const silent = { session: { id: "silent" } };
    const id = await own.ask({ command: "npm run silent" }, silent, "asks=1&dialog=1&longest=2001");
    await own.heard(id);
    const late = await own.run(["allow", id], PIN);
    expect(late.shown).toMatch(/Too late: it had ended before\. No answer came by \d\d:\d\d/);
    expect(late.shown).toContain("With --keep");
    expect(late.shown).not.toMatch(/refused|denied/i);
    const kept = await own.run(["allow", id, "--keep"], PIN);
    expect([kept.code, kept.shown]).toEqual([0, expect.stringContaining("is kept: if the same is asked again")]);
    const again = await own.ask({ command: "npm run silent" }, silent);
    expect(await own.heard(again)).toMatchObject({ control: { behavior: "allow" } });
  });

  it("names those that a beginning could mean, and takes none of them", async () => {
    const beginnings = new Map<string, string>();
    let both: readonly string[] = [];
    for (let count = 0; both.length === 0; count++) {
      const id = await own.ask({ command: `echo ${count}` }, { session: { id: `many-${count % 20}` } });
      const other = beginnings.get(id.slice(4, 7));
      if (other !== undefined) both = [other, id];
      beginnings.set(id.slice(4, 7), id);
    }
    const { code, shown } = await own.run(["deny", (both[0] ?? "").slice(4, 7)]);
    expect([code, shown]).toEqual([2, expect.stringContaining("2 requests begin with")]);
    expect((await own.run(["deny", "req_"])).shown).toContain("names no request");
    for (const id of both) expect(await own.read(`/api/requests/${id}`)).toMatchObject({ state: "open" });
  });

  it("decides nothing without the PIN, however much of a terminal there is", async () => {
    const id = await own.ask();
    const { code, shown } = await own.run(["allow", id], "000000", "111111", "letmein");
    expect([code, shown]).toEqual([2, expect.stringContaining("That is not the PIN.")]);
    await own.decide("/api/presence", {}); // the right PIN ends the count of wrong ones
    expect(await own.read(`/api/requests/${id}`)).toMatchObject({ state: "open" });
  });

  it("is confirmed by an approver elsewhere, who types the number that is shown", async () => {
    const id = await own.ask();
    await using pty = own.terminal("allow", id);
    await pty.waitFor(/instead\): $/);
    pty.type("\r");
    const [, number = ""] = /number of this terminal is ([\d ]+)\./.exec(await pty.waitFor("within five minutes.")) ?? [];
    const { pairings } = (await own.asApprover("/api/pairings")) as unknown as { readonly pairings: readonly { readonly id: string }[] };
    await own.decide(`/api/pairings/${pairings[0]?.id}/confirm`, { match: number });
    await pty.waitFor(/Allowed by (?:a terminal|terminal of)/);
    expect(await pty.ended).toBe(0);
  });
});

describe("allow, deny and answer without a terminal", () => {
  it.each([
    ["allow", ""],
    ["allow", `${PIN}\n`],
    ["deny", `${PIN}\n`],
    ["answer", `${PIN}\n`],
  ])("%s is refused, whatever is piped in or stands in the environment", async (command, input) => {
    const id = await own.ask();
    const words = command === "answer" ? [command, id, "allow"] : [command, id];
    const { status, stderr } = await own.plain(words, input);
    expect([status, stderr]).toEqual([2, expect.stringContaining("needs a person at a terminal")]);
    expect((await own.plain([...words, "--pin-stdin"], input)).status).toBe(2);
    expect(await own.read(`/api/requests/${id}`)).toMatchObject({ state: "open" });
  });
});

function clarification(name: string): object {
  return {
    "@context": "https://aaep-protocol.org/context/v1",
    type: "aaep:agent.awaiting.clarification",
    event_id: `evt_${name}`,
    session_id: `sess_${name}`,
    timestamp: new Date().toISOString(),
    producer: { agent_id: "query-doctor" },
    urgency: "critical",
    question: "Which database?",
    reply_token: `rpl_${name}0123456789`,
    timeout_seconds: 300,
    accepted_response_kinds: ["multiple_choice"],
    choices: [
      { value: "stage", label: "Staging" },
      { value: "prod", label: "Production" },
    ],
  };
}
