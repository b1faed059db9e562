import { Readable } from "node:stream";
import type { CommandIo } from "@earshot/terminal/io";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Checker } from "../../../recordings/src/check/checker.ts";
import { showCommand } from "../commands/show.ts";
import { type OwnHub, ownHub } from "../inbox/testing/own-hub.ts";
import { playDemo } from "./play.ts";

interface Session {
  readonly id: string;
  readonly key: number;
  readonly protocol: string;
  readonly status: string;
  readonly parent?: { readonly id: string };
  readonly costUsd?: number;
}
interface Request {
  readonly id: string;
  readonly digest: string;
  readonly session: string;
}

let own: OwnHub;
beforeAll(async () => {
  own = await ownHub();
});
afterAll(() => own[Symbol.asyncDispose]());

/** Plays the story at maximum speed, with or without answers. */
async function tellStory(run: string, answer?: "allow" | "deny"): Promise<readonly string[]> {
  const lines: string[] = [];
  const token = own.producer["authorization"]?.slice("Bearer ".length) ?? "";
  const played = playDemo({
    url: own.hub.url,
    token,
    speed: 1000,
    run,
    print: (line) => lines.push(line),
    signal: new AbortController().signal,
    ...(answer === undefined ? { answerSeconds: 1 } : {}),
  });
  if (answer !== undefined) {
    const { id, digest } = await findRequest(`demo-shop-${run}`);
    await own.decide(`/api/requests/${id}/answer`, { digest, answer });
  }
  await played;
  return lines;
}

async function findRequest(session: string): Promise<Request> {
  for (;;) {
    const { requests } = (await own.asApprover("/api/requests?state=open")) as unknown as { readonly requests: readonly Request[] };
    const found = requests.find((request) => request.session === session);
    if (found !== undefined) return found;
  }
}

async function sessionsOf(run: string): Promise<readonly Session[]> {
  const { items } = (await own.read("/api/sessions?limit=100")) as unknown as { readonly items: readonly Session[] };
  return items.filter(({ id }) => id.endsWith(run));
}

async function check(session: Session): Promise<readonly string[]> {
  const response = await fetch(`${own.hub.url}/api/export?session=${session.id}`, { headers: own.viewer });
  const checker = new Checker({ file: session.id, protocol: "auto", measureCoverage: false, baseline: [] });
  const lines = (await response.text()).split("\n").filter((line) => line !== "");
  for (const [index, line] of lines.entries()) checker.handle(line, index + 1, line.length);
  return checker
    .end()
    .problems.flatMap(({ severity, rule = "", message }) => (severity === "info" ? [] : [`${severity}: ${rule}: ${message}`]));
}

describe("the story of earshot demo", () => {
  it("goes on without an answer where nobody gives one in time", async () => {
    expect(await tellStory("none")).toContain("No answer: the push did not run.");
  });

  it("has five sessions in three protocols, a team, two failures, an alert about a loop, and costs", async () => {
    const sessions = await sessionsOf("none");
    const short = sessions.map(({ id, protocol, status, parent }) => [id, protocol, status, parent?.id ?? "nobody"].join(" "));
    expect(short.sort()).toEqual([
      "demo-lead-none aop completed nobody",
      "demo-price-scout-none aop failed demo-lead-none",
      "demo-shop-none aep completed nobody",
      "demo-terms-reader-none aop completed demo-lead-none",
      "sess_demonone aaep failed nobody",
    ]);
    expect(sessions.filter(({ costUsd = 0 }) => costUsd > 0)).toHaveLength(4);
    const { items } = (await own.read("/api/alerts?limit=100")) as unknown as { readonly items: readonly { readonly type: string }[] };
    expect(items.map(({ type }) => type)).toContain("loop");
  });

  it("waits for a person, and goes on as that person said", async () => {
    expect(await tellStory("yes", "allow")).toContain("You allowed it.");
    expect(await tellStory("no", "deny")).toContain("You denied it: the push did not run.");
    const told = async (run: string) => {
      let out = "";
      const io: CommandIo = {
        stdin: Readable.from([]),
        out: (text) => {
          out += text;
        },
        err: () => {},
        terminal: { out: false, err: false, colour: false, width: 0 },
      };
      await showCommand([`demo-shop-${run}`], io, { open: async () => ({ url: own.hub.url, headers: own.viewer }), now: Date.now });
      return out;
    };
    expect(await told("yes")).toMatch(/^Call Bash, done in .*git push --force origin main\. Decided by the PIN\./m);
    expect(await told("no")).toContain("I have *not* pushed");
  });

  it("says nothing that earshot check has an error or a warning about", async () => {
    const sessions = await sessionsOf("");
    expect(sessions).toHaveLength(15);
    expect((await Promise.all(sessions.map(check))).flat()).toEqual([]);
  });

  it("ends at once, and says why, when the hub goes away or takes nothing from it", async () => {
    const story = { speed: 1, run: "gone", print: () => {}, signal: new AbortController().signal };
    await expect(playDemo({ ...story, url: "http://127.0.0.1:1", token: "x" })).rejects.toThrow("The hub went away");
    await expect(playDemo({ ...story, url: own.hub.url, token: "made-up" })).rejects.toThrow("credential");
  });
});
