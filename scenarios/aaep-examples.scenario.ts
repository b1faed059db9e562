import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, it } from "vitest";
import { connectHttp } from "./aaep/driver-connection.ts";
import { freePort } from "./hub/hub-process.ts";

/** Runs an example as `npm run example NAME` does. */
const exampleOf = (name: string) => ["tools/example.ts", name];

it("the sample subscriber has less than a hundred lines, and needs no library", () => {
  const source = readFileSync("examples/aaep-subscriber/subscriber.ts", "utf8");
  expect(source.trimEnd().split("\n").length).toBeLessThan(100);
  expect(source).not.toMatch(/\bimport\b|\brequire\b/);
});

it("the example of an agent checks its own outcome", () => {
  const { status, stderr } = spawnSync(process.execPath, exampleOf("aaep-agent"), { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

describe("the demo agent", () => {
  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    }
  });

  async function start(...options: readonly string[]): Promise<string> {
    const port = await freePort();
    const words = [...exampleOf("aaep-demo-agent"), "--port", String(port), ...options];
    const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
    children.push(child);
    for await (const line of createInterface({ input: child.stdout })) {
      expect(line).toContain(`http://127.0.0.1:${port}/aaep/v1`);
      return `http://127.0.0.1:${port}/aaep/v1`;
    }
    throw new Error("It did not start.");
  }

  it("serves at the port that it was given, and says what it is", async () => {
    const url = await start();
    const manifest = await (await fetch(new URL("/.well-known/aaep-manifest.json", url))).json();
    expect(manifest).toMatchObject({ type: "aaep:producer.manifest", agent_id: "earshot-demo", conformance_levels_supported: [1, 2, 3] });
  });

  it.each([
    [[], "aaep:agent.session.started"],
    [["--suite-workaround"], "user_input.ack"],
  ])("with %j answers a prompt first with %s", async (options, first) => {
    await using connection = connectHttp(await start(...options));
    await connection.send({ kind: "user_input", text: "Say hello." });
    const item = await connection.next(60_000);
    expect(item?.["kind"] ?? item?.["type"]).toBe(first);
  });
});
