import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shippedPackages } from "../tools/shipped-packages.ts";
import { aopEvent, startHub } from "./hub/hub-process.ts";

/** The packages as npm would install them: built, packed, and run without this repository's sources. */
describe("the packages as installed", () => {
  let folder = "";
  const earshot = (...args: readonly string[]) =>
    spawnSync(process.execPath, [join(folder, "node_modules/earshot/bin/earshot.cjs"), ...args], { encoding: "utf8", cwd: folder });

  const earshotWith = (input: string, ...args: readonly string[]) =>
    spawnSync(process.execPath, [join(folder, "node_modules/earshot/bin/earshot.cjs"), ...args], { encoding: "utf8", cwd: folder, input });

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "earshot-installed-"));
    const npm = process.env["npm_execpath"];
    const run = (args: readonly string[], cwd: string) =>
      npm === undefined
        ? execFileSync("npm", args, { cwd, encoding: "utf8" })
        : execFileSync(process.execPath, [npm, ...args], { cwd, encoding: "utf8" });
    for (const [source, name] of [
      ["packages/protocol", "@earshot/protocol"],
      ["packages/translate", "@earshot/translate"],
      ["packages/aaep", "@earshot/aaep"],
      ["packages/policy", "@earshot/policy"],
      ["packages/agents", "@earshot/agents"],
      ["packages/hub", "@earshot/hub"],
      ["packages/sdk", "@earshot/sdk"],
      ["packages/cli", "earshot"],
    ] as const) {
      const [packed] = JSON.parse(run(["pack", "--json", "--silent", "--pack-destination", folder], resolve(source))) as readonly {
        readonly filename: string;
      }[];
      const target = join(folder, "node_modules", name);
      mkdirSync(target, { recursive: true });
      execFileSync("tar", ["xzf", join(folder, packed?.filename ?? ""), "-C", target, "--strip-components=1"]);
    }
    for (const path of shippedPackages()) cpSync(resolve(path), join(folder, path), { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("check a recording", () => {
    expect(earshot("check", resolve("conformance/aaep/valid/whole-session.jsonl")).status).toBe(0);
    expect(earshot("check", resolve("conformance/aaep/invalid/appendix-a8-5.jsonl")).status).toBe(1);
  });

  it("check many recordings side by side, in threads", () => {
    const long = join(folder, "long.jsonl");
    writeFileSync(long, readFileSync("conformance/aaep/invalid/appendix-a8-5.jsonl", "utf8").repeat(20_000));
    const run = earshot("check", "--json", long, resolve("conformance/aaep/valid/whole-session.jsonl"));
    expect([run.status, run.stderr]).toEqual([1, ""]);
    const { files } = JSON.parse(run.stdout) as { readonly files: readonly { readonly ok: boolean }[] };
    expect(files.map(({ ok }) => ok)).toEqual([false, true]);
  });

  it("explain a rule", () => {
    expect(earshot("explain", "aop/tool-end-needs-start").stdout).toContain("This passes:");
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
    expect(hub.earshot("verify").status).toBe(0);
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
      import schema from "@earshot/protocol/schemas/aaep/agent.tool.invoked.schema.json" with { type: "json" };
      console.log(Object.keys(PROTOCOLS).join(), schema.properties.tool.pattern !== undefined);`;
    const run = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8", cwd: folder });
    expect(run.stdout.trim()).toBe("aaep,aep,aop true");
  });
});
