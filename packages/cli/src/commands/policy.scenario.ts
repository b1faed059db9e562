import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OwnHub, ownHub, PIN } from "../inbox/testing/own-hub.ts";
import { HAS_PTY } from "../inbox/testing/pty.ts";

let own: OwnHub;
beforeAll(async () => {
  own = await ownHub();
});
afterAll(() => own[Symbol.asyncDispose]());

function file(name: string, text: string): string {
  const path = join(own.home, name);
  writeFileSync(path, text);
  return path;
}

const ALLOW_TESTS = "rules:\n  - name: tests\n    match: { command: npm test }\n    answer: allow\n";

describe("policy check", () => {
  it("says what is wrong, where, and what to do, with exit code 1", async () => {
    const path = file("wrong.yaml", "rules:\n  - name: x\n    match: { comand: ls }\n    answer: allow\n");
    const { status, stdout } = await own.plain(["policy", "check", path]);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^wrong\.yaml, line 3, column 14: error\. There is no `comand`.*\n {2}To do: Did you mean `command`\?/);
    expect(JSON.parse((await own.plain(["policy", "check", path, "--json"])).stdout)).toMatchObject({
      ok: false,
      troubles: [{ line: 3, column: 14 }],
    });
  });

  it("finds nothing wrong with a good one, and leaves warnings at 0", async () => {
    expect(await own.plain(["policy", "check", file("good.yaml", ALLOW_TESTS)])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("1 rule, no errors"),
    });
    const repository = await own.plain(["policy", "check", file("repo.yaml", ALLOW_TESTS), "--repository"]);
    expect([repository.status, repository.stdout]).toEqual([0, expect.stringContaining("warning")]);
    expect(await own.plain(["policy", "check", join(own.home, "none.yaml")])).toMatchObject({ status: 2 });
    expect((await own.plain(["policy", "check"])).stdout).toContain("no rule decides anything");
  });
});

describe("policy explain", () => {
  it("names the rule that decides, and why those before it do not", async () => {
    const path = file("guarded.yaml", `extends: guard\n${ALLOW_TESTS}`);
    const { stdout } = await own.plain(
      ["policy", "explain", path],
      JSON.stringify({ tool: "Bash", command: "npm test && git push --force", cwd: "/w" }),
    );
    expect(stdout).toMatch(/The answer is ask, by the rule guard\/destructive \(guard, line \d+\)\.\nReplaces history/);
    expect(stdout).toMatch(/ {2}tests \(guarded\.yaml, line 3\), allow: passed over\./);
    const { asked, ruling } = JSON.parse(
      (await own.plain(["policy", "explain", path, "--command", "npm test", "--json"])).stdout,
    ) as Record<string, object>;
    expect([asked, ruling]).toMatchObject([{ command: "npm test" }, { behaviour: "allow", rule: { name: "tests" } }]);
  });

  it("explains what is recorded", async () => {
    const id = await own.ask({ command: "npm test" }, { session: { id: "explained" } });
    const { position } = (await own.read(`/api/requests/${id}`)) as { readonly position: number };
    const path = file("good.yaml", ALLOW_TESTS);
    for (const words of [
      ["--position", String(position)],
      ["--session", "explained"],
    ]) {
      expect((await own.plain(["policy", "explain", path, ...words])).stdout).toContain("The answer is allow, by the rule tests");
    }
    expect((await own.plain(["policy", "explain", path, "--position", "999999"])).status).toBe(2);
    expect((await own.plain(["policy", "explain", path], "nonsense")).stderr).toContain("no JSON");
  });
});

describe("policy try and suggest", () => {
  it("show what would go another way, beside a hub that runs, and propose what was answered again and again", async () => {
    const history = { session: { id: "history" }, workspace: { cwd: "/home/ana/tried" } };
    for (const [command, answer] of [
      ["npm test", "allow"],
      ["npm test", "allow"],
      ["npm test", "deny"],
      ["npm run lint", "allow"],
      ["npm run lint", "allow"],
      ["npm run lint", "allow"],
    ] as const) {
      const id = await own.ask({ command }, history);
      await own.decide(`/api/requests/${id}/answer`, { digest: (await own.read(`/api/requests/${id}`))["digest"], answer });
      await own.heard(id);
    }
    const tried = await own.plain(["policy", "try", file("good.yaml", ALLOW_TESTS), "--session", "history"]);
    expect(tried.stdout).toMatch(/^6 actions of 1 session tried with good\.yaml/);
    expect(tried.stdout).toContain("Careful: 1 that you refused would pass.");
    expect(tried.stdout).toContain("It would pass, where you were asked: 3 times. You allowed 2 of them and refused 1.");
    expect(tried.status).toBe(1);
    const json = JSON.parse(
      (await own.plain(["policy", "try", file("none.yaml", "rules: []\n"), "--session", "history", "--json"])).stdout,
    ) as object;
    expect(json).toMatchObject({ asks: 6, changed: 0 });
    expect(
      JSON.parse((await own.plain(["policy", "try", file("good.yaml", ALLOW_TESTS), "--since", "2099-01-01", "--json"])).stdout),
    ).toMatchObject({ asks: 0 });
    const { stdout, stderr } = await own.plain(["policy", "suggest"]);
    expect(stderr).toContain("1 rule proposed. None is applied.");
    expect(stdout).toMatch(/# 3 equal answers, such as: npm run lint\n- name: allow-npm-run-lint/);
  });
});

describe.skipIf(!HAS_PTY)("policy accept", () => {
  it("shows what is let through and what differs, and puts it in force with the PIN", async () => {
    expect((await own.run(["policy", "accept"])).shown).toContain("Nothing waits to be accepted.");
    writeFileSync(own.policy, ALLOW_TESTS);
    expect((await own.plain(["policy", "show"])).stderr).toContain("earshot policy accept");
    expect((await own.plain(["policy", "accept"], `${PIN}\n`)).stderr).toContain("needs a person at a terminal");
    expect((await own.run(["policy", "accept"], "no")).code).toBe(1);
    expect(await own.read("/api/policy")).toMatchObject({ text: null });
    const { code, shown } = await own.run(["policy", "accept"], "yes", PIN);
    expect([code, shown]).toEqual([
      0,
      expect.stringMatching(/more would be let through[\s\S]*tests[\s\S]*\+ +- name: tests[\s\S]*Accepted: 1 change\./),
    ]);
    expect(await own.read("/api/policy")).toMatchObject({ text: ALLOW_TESTS, pending: null });
    expect((await own.plain(["policy", "show"])).stdout).toBe(ALLOW_TESTS);
    const id = await own.ask({ command: "npm test" }, {}, "canAsk=1");
    expect(await own.heard(id)).toMatchObject({ control: { behavior: "allow" } });
  });
});

describe.skipIf(!HAS_PTY)("allow from now on", () => {
  const where = { workspace: { cwd: "/home/ana/always", roots: ["/home/ana/always"] } };

  it("shows the rule, keeps it with the answer, and takes it back", async () => {
    const before = `# mine\n${ALLOW_TESTS}`;
    writeFileSync(own.policy, before);
    await own.read("/api/policy");
    const id = await own.ask({ command: "npm run build" }, where);
    const left = await own.run(["allow", id, "--remember", "always"], "no");
    expect([left.code, left.shown]).toEqual([1, expect.stringContaining("nothing was stored or decided")]);
    const { code, shown } = await own.run(["allow", id, "--remember", "always", "--reason", "it builds"], "yes", PIN);
    expect([code, shown]).toEqual([
      0,
      expect.stringMatching(
        /from now on\.\nIt would have allowed 1 of the last \d+ actions:\n {2}npm run build\nIt is written to .*policy\.yaml, before all other rules:\n {2}- name: allow-npm-run-build[\s\S]*Allowed by the PIN at .* Reason: “it builds[\s\S]*earshot policy forget allow-npm-run-build/,
      ),
    ]);
    expect(await own.heard(await own.ask({ command: "npm run build" }, where, "canAsk=1"))).toMatchObject({
      control: { behavior: "allow" },
    });
    expect((await own.plain(["away"])).stdout).toContain("for good: the rule allow-npm-run-build");
    expect((await own.run(["policy", "forget", "allow-npm-run-build"], PIN)).shown).toContain("Forgotten: allow-npm-run-build.");
    expect(await own.read("/api/policy")).toMatchObject({ text: before, pending: null });
  });

  it("keeps one for the session alone, in no file", async () => {
    const id = await own.ask({ command: "npm run docs" }, where);
    const { code, shown } = await own.run(["allow", id, "--remember", "session"], "yes", PIN);
    expect([code, shown]).toEqual([0, expect.stringContaining("hub stores it; it is not written to a file")]);
    expect(await own.heard(await own.ask({ command: "npm run docs" }, where))).toMatchObject({
      control: { behavior: "allow" },
    });
  });

  it("offers none for what does harm, and decides nothing then", async () => {
    const id = await own.ask({ command: "git push --force" });
    const { code, shown } = await own.run(["allow", id, "--remember", "always"]);
    expect([code, shown]).toEqual([1, expect.stringContaining("No rule is offered for this, and nothing was decided:")]);
    expect(await own.read(`/api/requests/${id}`)).toMatchObject({ state: "open" });
    expect((await own.run(["allow", id, "--remember", "ever"])).code).toBe(2);
  });
});

describe("policy", () => {
  it.each([
    ["--help"],
    ["check", "--help"],
    ["try", "--help"],
    ["explain", "--help"],
    ["suggest", "--help"],
    ["show", "--help"],
    ["accept", "--help"],
    ["forget", "--help"],
  ])("explains itself: %s", async (...words) => {
    expect(await own.plain(["policy", ...words])).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Usage: earshot policy/) });
  });

  it("refuses what it does not know", async () => {
    expect((await own.plain(["policy", "chek"])).status).toBe(2);
    expect((await own.plain(["policy"])).status).toBe(2);
  });
});
