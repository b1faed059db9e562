import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { conformanceRecording } from "../packages/protocol/testing/conformance.ts";
import { playDemo, WAITS } from "./dashboard/play-demo.ts";
import { aopEvent, startHub } from "./hub/hub-process.ts";

const VALID = conformanceRecording("aaep/valid/whole-session");
const INVALID = conformanceRecording("aaep/invalid/appendix-a8-5");
const BUILT = ["earshot", "protocol", "sdk"] as const;
const MAX_PACKED_BYTES = { earshot: 2_250_000, protocol: 300_000, sdk: 200_000 };

/** The published packages in an empty folder, as `npm install` leaves them. */
describe("the packages as installed", () => {
  let folder = "";
  const write = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return name;
  };
  const packed = new Map<string, number>();
  const earshot = (...args: readonly string[]) => earshotWith("", ...args);
  const earshotWith = (input: string, ...args: readonly string[]) =>
    spawnSync(process.execPath, [join(folder, "node_modules/earshot/bin/earshot.cjs"), ...args], { encoding: "utf8", cwd: folder, input });

  beforeAll(() => {
    execFileSync(process.execPath, ["tools/build.ts", "protocol", "sdk"], { stdio: "inherit" });
    folder = mkdtempSync(join(tmpdir(), "earshot-installed-"));
    const pack = (path: string) => {
      const words = ["pack", "--json", "--silent", "--ignore-scripts", "--pack-destination", folder];
      const [{ filename }] = JSON.parse(npm(words, resolve(path))) as [{ readonly filename: string }];
      return join(folder, filename);
    };
    const files = BUILT.map((name) => {
      const file = pack(`dist/${name}`);
      packed.set(name, statSync(file).size);
      return file;
    });
    // Dependencies come from this clone, so that the test needs no network.
    const others = ["jose", "typebox", "ws"].map((name) => pack(`node_modules/${name}`));
    writeFileSync(join(folder, "package.json"), "{}");
    npm(["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", ...files, ...others], folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("are small", () => {
    for (const [name, bytes] of packed) process.stdout.write(`${name}: ${Math.round(bytes / 1000)} kB packed\n`);
    for (const name of BUILT) expect(packed.get(name)).toBeLessThanOrEqual(MAX_PACKED_BYTES[name]);
  });

  it("need no other package for the command, and few for programs", () => {
    const dependencies = (name: string) =>
      (JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")) as { dependencies?: object }).dependencies ??
      {};
    expect(dependencies("earshot")).toEqual({});
    expect(Object.keys(dependencies("@earshot/protocol"))).toEqual(["typebox"]);
    expect(Object.keys(dependencies("@earshot/sdk"))).toEqual(["@earshot/protocol", "jose", "ws"]);
  });

  it("run the demo, with the dashboard", async () => {
    await using hub = await startHub({ bin: join(folder, "node_modules/earshot/bin/earshot.cjs") });
    const page = await fetch(`${hub.url}/ui/`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<script type="module"')]);
    await using demo = playDemo(hub, { bin: join(folder, "node_modules/earshot/bin/earshot.cjs") });
    await demo.said(WAITS);
    expect(hub.earshot("sessions").stdout).toContain("demo-shop-");
  });

  it("check a recording", () => {
    expect(earshot("check", write("valid.jsonl", VALID)).status).toBe(0);
    expect(earshot("check", write("invalid.jsonl", INVALID)).status).toBe(1);
  });

  it("check many recordings side by side, in threads", () => {
    const run = earshot("check", "--json", write("long.jsonl", INVALID.repeat(20_000)), write("valid.jsonl", VALID));
    expect([run.status, run.stderr]).toEqual([1, ""]);
    const { files } = JSON.parse(run.stdout) as { readonly files: readonly { readonly ok: boolean }[] };
    expect(files.map(({ ok }) => ok)).toEqual([false, true]);
  });

  it("explain a rule", () => {
    expect(earshot("check", "explain", "aop/tool-end-needs-start").stdout).toContain("This passes:");
  });

  it("map a coding agent's payload", () => {
    const payload = { session_id: "s", hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "t" };
    const run = earshotWith(JSON.stringify(payload), "map", "claude");
    expect([run.status, run.stderr]).toEqual([0, ""]);
    expect(JSON.parse(run.stdout)).toMatchObject({ type: "action.requested", action: { id: "t" }, tool: { name: "Bash" } });
    expect(earshot("map", "--coverage").stdout).toContain("## Claude Code");
  });

  it("run the hub, hear an event, give it back and verify it", async () => {
    await using hub = await startHub({ bin: join(folder, "node_modules/earshot/bin/earshot.cjs") });
    const event = aopEvent({ session: "installed", sequence: 1 });
    expect((await hub.post("/v1/events", event)).status).toBe(200);
    expect(hub.earshot("export", "installed").stdout).toBe(`${event}\n`);
    expect(hub.earshot("sessions").stdout).toContain("1 session");
    expect(hub.earshot("hub", "verify").status).toBe(0);
  });

  it("come with the licences of all that they contain", () => {
    const licences = readFileSync(join(folder, "node_modules/earshot/dist/licenses.md"), "utf8");
    for (const name of ["fastify", "typebox", "ws", "yaml", "re2js", "unbash"]) expect(licences).toMatch(new RegExp(`^## ${name} - `, "m"));
  });

  it("let an agent speak to the hub", async () => {
    await using hub = await startHub({ bin: join(folder, "node_modules/earshot/bin/earshot.cjs") });
    const program = `
      import { aop } from "@earshot/sdk";
      const agent = aop({ agentId: "installed", url: ${JSON.stringify(hub.url)} });
      await agent.run({ goal: "Say hello.", sessionId: "spoken" }, async (session) => { session.thought("Hello."); });
      await agent.close();`;
    const run = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8", cwd: folder });
    expect([run.status, run.stderr]).toEqual([0, ""]);
    expect(hub.earshot("export", "spoken").stdout).toContain("cognition.thought");
  });

  it("hand out readers and schemas to other programs", () => {
    const program = `
      import { PROTOCOLS } from "@earshot/protocol";
      import schema from "@earshot/protocol/schemas/aaep.schema.json" with { type: "json" };
      console.log(Object.keys(PROTOCOLS).join(), schema.$defs["agent.tool.invoked"].properties.tool.pattern !== undefined);`;
    const run = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8", cwd: folder });
    expect(run.stdout.trim()).toBe("aaep,aep,aop true");
  });
});

function npm(words: readonly string[], cwd: string): string {
  const cli = process.env["npm_execpath"];
  if (cli !== undefined) return execFileSync(process.execPath, [cli, ...words], { cwd, encoding: "utf8" });
  return execFileSync("npm", words, { cwd, encoding: "utf8", shell: process.platform === "win32" });
}
