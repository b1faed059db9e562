import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { PolicyView } from "../policy/policy-view.ts";
import { confirmationRequested, hookEventOf } from "../requests/testing/engine-bench.ts";
import type { PolicyCheck, PolicyExplanation, PolicyRules, PolicyTrial } from "../trial/api.ts";
import { openTestHub } from "./testing/test-hub.ts";

type Problem = { readonly code?: string; readonly message?: string };

const POLICY = `rules:
  - name: tests
    match: { command: npm test }
    answer: ask
    hold: always
  - name: pushes
    match: { command: git push * }
    answer: deny
    message: Not from here.
`;
const LOOSER = POLICY.replace("answer: ask\n    hold: always", "answer: allow");
const TIGHTER = POLICY.replace("answer: ask\n    hold: always", "answer: deny");

let own = await openTestHub();
let { folder, home, producer, viewer, admin: approver } = own;
let project: string;
let tests = 0;

afterAll(() => own.close());
beforeEach(async () => {
  project = folder.file(`shop-${++tests}`);
  mkdirSync(project);
  await acceptRules();
});

/** Puts POLICY in force, whatever the previous test left. */
async function acceptRules(): Promise<void> {
  rmSync(home.policy, { recursive: true, force: true });
  writeFileSync(home.policy, POLICY);
  chmodSync(home.policy, 0o640);
  const { pending } = await view();
  if (pending !== null) await send("/api/policy/accept", approver, { hash: pending.hash });
  expect(await view()).toMatchObject({ text: POLICY, pending: null, troubles: [] });
}

const send = <Body>(...sent: Parameters<typeof own.send>) => own.send<Body & Problem>(...sent);

const rules = async () => (await send<PolicyRules>("/api/policy/rules", viewer)).body;
const view = async () => (await send<PolicyView>("/api/policy", viewer)).body;
const check = async (text: string) => (await send<PolicyCheck>("/api/policy/check", viewer, { text })).body;
const write = (body: object, headers = approver) => send<PolicyView>("/api/policy/text", headers, body);
const tryOut = (body: object) => send<PolicyTrial>("/api/policy/try", viewer, body);
const explain = (body: object) => send<PolicyExplanation>("/api/policy/explain", viewer, body);

/** A hook asks; returns the request if a rule requires one. */
async function ask(command: string): Promise<string> {
  const event = hookEventOf({ session: { id: project }, workspace: { cwd: project, roots: [project] } });
  const action = { ...(event["action"] as object), input: { command } };
  return (await send<{ request: string }>("/aep/v1/hooks?wait=1", producer, { ...event, action })).body.request;
}

async function decideOn(request: string, answer: "allow" | "deny"): Promise<void> {
  const { digest } = (await send<{ digest: string }>(`/api/requests/${request}`, viewer)).body;
  expect((await send(`/api/requests/${request}/answer`, approver, { digest, answer })).status).toBe(200);
}

describe("the rules that count", () => {
  it("are told in words, in their order, with where each comes from and what the file says", async () => {
    mkdirSync(join(project, ".earshot"));
    writeFileSync(join(project, ".earshot", "policy.yaml"), "rules:\n  - name: builds\n    match: { command: make }\n    answer: ask\n");
    await ask("ls"); // from now on the repository's file is known
    const { rules: own, file, repositories } = await rules();
    expect(own).toEqual([
      {
        name: "tests",
        answer: "ask",
        words: "hold always, for command npm test",
        message: null,
        file: "policy.yaml",
        line: 2,
      },
      { name: "pushes", answer: "deny", words: "for command git push *", message: "Not from here.", file: "policy.yaml", line: 6 },
    ]);
    expect(file.text).toBe(POLICY);
    expect(repositories).toContainEqual(
      expect.objectContaining({
        path: join(project, ".earshot", "policy.yaml"),
        rules: [expect.objectContaining({ name: "builds", answer: "ask" })],
      }),
    );
  });

  it("stay what they are while the file says something else", async () => {
    writeFileSync(home.policy, "rules: [");
    expect((await view()).troubles).toHaveLength(1);
    expect(await rules()).toMatchObject({ rules: [{ name: "tests" }, { name: "pushes" }], file: { text: "rules: [" } });
    rmSync(home.policy);
    mkdirSync(home.policy);
    expect(await rules()).toMatchObject({ rules: [{}, {}], file: { text: null, hash: null } });
    expect((await write({ text: TIGHTER, base: "none" })).body.code).toBe("DIGEST_DIFFERS");
  });
});

describe("a text that is checked", () => {
  it("is told what is wrong with it, where, and what to do", async () => {
    expect(await check(POLICY.replace("answer: deny", "anser: deny"))).toMatchObject({
      ok: false,
      accepts: null,
      troubles: expect.arrayContaining([
        expect.objectContaining({ line: 8, column: 5, severity: "error", message: expect.stringContaining("anser") }),
      ]),
    });
  });

  it("is told what it changes, and whether that has to be accepted", async () => {
    expect(await check(POLICY)).toEqual({ ok: true, troubles: [], rules: 2, changes: [], accepts: null });
    expect(await check(TIGHTER)).toMatchObject({ ok: true, changes: [{ rule: "tests", loosens: false }], accepts: null });
    expect(await check(LOOSER)).toMatchObject({
      changes: [{ rule: "tests", kind: "changed", loosens: true }],
      accepts: expect.any(String),
    });
  });

  it("is refused where it is none, or too long", async () => {
    expect((await send("/api/policy/check", viewer, { text: 3 })).body.code).toBe("WRONG_QUERY");
    expect((await send("/api/policy/check", viewer, { text: "#".repeat(300 * 1024) })).body.code).toBe("TOO_LARGE");
  });
});

describe("a text that is written", () => {
  const base = async () => (await rules()).file.hash;

  it("counts at once where it only tightens; the file keeps its mode, and who wrote it is on record", async () => {
    expect(await write({ text: TIGHTER, base: await base() })).toMatchObject({ status: 200, body: { text: TIGHTER, pending: null } });
    expect(readFileSync(home.policy, "utf8")).toBe(TIGHTER);
    expect(statSync(home.policy).mode & 0o777).toBe(0o640);
    expect(readdirSync(home.folder).filter((name) => name.startsWith("policy.yaml"))).toEqual(["policy.yaml"]);
    const { entries } = await own.hub.ledger.read({ after: 0, limit: 100, filter: { type: ["control.policy"] } });
    expect(entries.at(-1)).toMatchObject({ agent: "a browser" });
    expect(entries.at(-1)?.text).toContain('"written":true');
  });

  it("waits where it lets more through, unless exactly that was accepted with it", async () => {
    expect(await write({ text: LOOSER, base: await base() })).toMatchObject({
      body: { text: POLICY, pending: { text: LOOSER, loosens: [expect.stringContaining("tests")] } },
    });
    const { accepts } = await check(LOOSER);
    const other = (await check(`${LOOSER}\n`)).accepts;
    expect(await write({ text: LOOSER, base: await base(), accepts: other })).toMatchObject({
      status: 409,
      body: { code: "DIGEST_DIFFERS" },
    });
    expect((await view()).text).toBe(POLICY);
    expect(await write({ text: LOOSER, base: await base(), accepts })).toMatchObject({
      status: 200,
      body: { text: LOOSER, pending: null },
    });
    await own.restart();
    expect(await view()).toMatchObject({ text: LOOSER, pending: null });
  });

  it("is not written over a file that was changed meanwhile, nor where it has errors", async () => {
    const before = await base();
    expect(await write({ text: "rules: 3\n", base: before })).toMatchObject({ status: 422, body: { code: "RULES_INVALID" } });
    writeFileSync(home.policy, TIGHTER);
    expect(await write({ text: LOOSER, base: before })).toMatchObject({ status: 409, body: { code: "DIGEST_DIFFERS" } });
    expect(readFileSync(home.policy, "utf8")).toBe(TIGHTER);
  });

  it("is written once where two write at the same time", async () => {
    const before = await base();
    const other = `${TIGHTER}# mine\n`;
    const answers = await Promise.all([write({ text: TIGHTER, base: before }), write({ text: other, base: before })]);
    expect(answers.map(({ status }) => status)).toEqual([200, 409]);
    expect((await view()).text).toBe(TIGHTER);
  });

  it("begins a file where there was none, which is its owner's alone", async () => {
    await write({ text: "rules: []\n", base: await base(), accepts: (await check("rules: []\n")).accepts });
    rmSync(home.policy);
    expect((await rules()).file).toEqual({ hash: "none", text: null });
    expect((await write({ text: TIGHTER, base: "none" })).status).toBe(200);
    expect(statSync(home.policy).mode & 0o777).toBe(0o600);
  });

  it("is an approver's, and nobody else's", async () => {
    for (const headers of [viewer, producer]) expect((await write({ text: TIGHTER, base: await base() }, headers)).status).toBe(403);
    expect(readFileSync(home.policy, "utf8")).toBe(POLICY);
  });
});

describe("a text that is tried over what was asked before", () => {
  it("says what would be decided differently, and what a person had decided", async () => {
    await own.close();
    own = await openTestHub(); // one that was asked nothing before
    ({ folder, home, producer, viewer, admin: approver } = own);
    mkdirSync(project, { recursive: true });
    await acceptRules();
    await decideOn(await ask("npm test"), "deny");
    await decideOn(await ask("npm test"), "allow");
    await ask("git push origin");
    await ask("ls");
    const { body } = await tryOut({ text: LOOSER });
    expect(body).toMatchObject({
      asks: 4,
      isAll: true,
      happened: { asked: 2, refused: 1, left: 1, passes: 0 },
      before: { asked: 2, refused: 1, left: 1, passes: 0 },
      now: { asked: 0, refused: 1, left: 1, passes: 2 },
      changed: 2,
      passesRefused: 1,
      moves: [{ from: "asked", to: "passes", count: 2, allowed: 1, refused: 1 }],
    });
    expect(body.moves[0]?.examples).toMatchObject([
      { rule: "tests", ruleBefore: "tests", past: { word: "deny" }, asked: { title: "Bash", input: { command: "npm test" } } },
      { past: { word: "allow" } },
    ]);
    expect((await tryOut({ text: POLICY })).body).toMatchObject({ asks: 4, changed: 0, moves: [] });
  });

  it("takes the last ones where there are more than were asked for", async () => {
    for (const command of ["git push origin", "ls", "npm test"]) await ask(command);
    expect((await tryOut({ text: LOOSER, limit: 1 })).body).toMatchObject({ asks: 1, isAll: false, now: { passes: 1 } });
    expect((await tryOut({ text: LOOSER, limit: 2 })).body).toMatchObject({ asks: 2, now: { passes: 1, left: 1 } });
  });

  it("has to be one that could count", async () => {
    expect((await tryOut({ text: "rules: 3" })).body.code).toBe("RULES_INVALID");
    expect((await tryOut({ text: LOOSER, limit: 0 })).body.code).toBe("WRONG_QUERY");
  });

  it("changes nothing, and goes on for others while many are tried at once", async () => {
    await ask("npm test");
    const answers = await Promise.all(Array.from({ length: 24 }, () => tryOut({ text: LOOSER })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]));
    expect(await view()).toMatchObject({ text: POLICY, pending: null });
    expect((await tryOut({ text: LOOSER })).status).toBe(200);
  });
});

describe("an action that is explained", () => {
  it("names the rule that decides a payload, and why those before it do not", async () => {
    const { body } = await explain({ payload: { tool: "Bash", command: "git push --force origin main", cwd: project } });
    expect(body).toMatchObject({
      asked: { moment: "action", tool: "Bash", cwd: project },
      found: { dangers: [{ id: "git-force-push" }] },
      ruling: { behaviour: "deny", rule: { name: "pushes", line: 6 }, message: "Not from here.", changesInput: false },
      steps: [
        { rule: { name: "tests" }, outcome: "passed-over" },
        { rule: { name: "pushes" }, outcome: "decides" },
      ],
    });
  });

  it("is a request of the past, or what is recorded at a position, by the rules that count or by another text", async () => {
    const request = await ask("npm test");
    expect((await explain({ request })).body).toMatchObject({ ruling: { behaviour: "ask", rule: { name: "tests" } } });
    expect((await explain({ request, text: LOOSER })).body).toMatchObject({ ruling: { behaviour: "allow" } });
    const { position } = (await send<{ position: number }>(`/api/requests/${request}`, viewer)).body;
    expect((await explain({ position })).body).toMatchObject({ ruling: { behaviour: "ask" } });
    expect((await explain({ request, text: "rules: 3" })).body.code).toBe("RULES_INVALID");
  });

  it("counts what was granted for a while, and what a repository tightens", async () => {
    const request = await ask("npm test");
    const { digest, hash } = (await send<{ digest: string; hash: string }>(`/api/requests/${request}/rule?scope=session`, viewer)).body;
    await send(`/api/requests/${request}/remember`, approver, { digest, hash, scope: "session" });
    expect((await explain({ request })).body).toMatchObject({ ruling: { behaviour: "allow", rule: { file: "kept from a decision" } } });
    const path = join(project, ".earshot", "policy.yaml");
    mkdirSync(dirname(path));
    writeFileSync(path, "rules:\n  - name: nothing\n    answer: deny\n");
    expect((await explain({ request })).body).toMatchObject({ ruling: { behaviour: "deny", rule: { name: "nothing", file: path } } });
  });

  it("has to ask something", async () => {
    await send("/v1/events", producer, confirmationRequested());
    expect((await explain({ payload: { moment: "never" } })).body.code).toBe("PAYLOAD_UNUSABLE");
    expect((await explain({ payload: {} })).body.code).toBe("PAYLOAD_UNUSABLE");
    expect((await explain({ payload: { tool: "Bash" }, position: 1 })).body.code).toBe("WRONG_QUERY");
    expect((await explain({})).body.code).toBe("WRONG_QUERY");
    expect((await explain({ request: "none" })).body.code).toBe("NOT_FOUND");
    expect((await explain({ position: 1_000_000 })).body.code).toBe("NOT_FOUND");
    expect((await explain({ position: await own.hub.ledger.head() })).body).toMatchObject({ asked: { moment: "confirmation" } });
  });
});
