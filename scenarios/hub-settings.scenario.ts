import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EARSHOT } from "../tools/built-command.ts";
import { aopEvent, freePort, startHub } from "./hub/hub-process.ts";

/** Settings from a file, and hubs that are found, stopped and restarted, as real processes. */

function temporary() {
  const path = mkdtempSync(join(tmpdir(), "earshot-home-"));
  const env = { ...process.env, EARSHOT_HOME: path, EARSHOT_URL: "" };
  const earshot = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [EARSHOT, ...args], { env, encoding: "utf8", timeout: 60_000 });
    return { status, stdout, stderr };
  };
  const write = (text: string) => writeFileSync(join(path, "config.yaml"), text);
  const address = () => JSON.parse(readFileSync(join(path, "address.json"), "utf8")) as { readonly url: string; readonly pid: number };
  return {
    path,
    earshot,
    write,
    address,
    [Symbol.dispose]: () => {
      if (existsSync(join(path, "address.json"))) earshot("hub", "stop");
      rmSync(path, { recursive: true, force: true });
    },
  };
}

interface Status {
  readonly configuration: {
    readonly state: string;
    readonly from: string;
    readonly troubles: readonly object[];
    readonly settings: readonly { readonly key: string; readonly value: unknown; readonly from: string }[];
  };
}

describe("config.yaml", () => {
  it("counts at the next start, flags win, and the status says where each setting comes from", async () => {
    using home = temporary();
    home.write(`strict: true\nlimits:\n  eventBytes: 2000\n  listeners: 1\n`);
    await using hub = await startHub({ home: home.path, args: ["--no-strict"] });
    const { configuration } = (await (await hub.get("/api/status")).json()) as Status;
    const bySetting = Object.fromEntries(configuration.settings.map(({ key, value, from }) => [key, [value, from]]));
    expect(bySetting).toMatchObject({ strict: [false, "flag"], "limits.eventBytes": [2000, "file"], aop: [false, "default"] });
    const large = await hub.post("/v1/events", aopEvent({ session: "s", sequence: 1, payload: { content: "x".repeat(3000) } }));
    expect(large.status).toBe(413);
    const first = await hub.get("/api/live");
    expect((await hub.get("/api/live")).status).toBe(503);
    await first.body?.cancel();
    const shown = JSON.parse(home.earshot("hub", "config", "show", "--json").stdout) as { readonly running: Status["configuration"] };
    expect(shown.running.settings).toContainEqual({ key: "strict", value: false, from: "flag" });
    expect(home.earshot("hub", "config", "show").stdout).toContain("The hub that runs was started with others: port");
  });

  it("when it is broken, the hub starts on the last good one and says so everywhere", async () => {
    using home = temporary();
    home.write("strict: true\n");
    {
      await using hub = await startHub({ home: home.path });
      await hub.kill("SIGTERM");
    }
    expect(home.earshot("hub", "config", "check")).toMatchObject({ status: 0, stdout: expect.stringContaining("no errors") });
    home.write("strict: false\naop: on\nprot: 4747\n");
    await using hub = await startHub({ home: home.path });
    expect(hub.log()).toContain("config.yaml:2:6: `aop` is either true or false; `on` does not mean true in YAML 1.2.");
    expect(hub.log()).toContain("config.last-good.yaml");
    const { configuration } = (await (await hub.get("/api/status")).json()) as Status;
    expect(configuration).toMatchObject({ state: "broken", from: "last-good", troubles: [{ line: 2 }, { line: 3 }] });
    expect(configuration.settings).toContainEqual({ key: "strict", value: true, from: "last-good" });
    const check = home.earshot("hub", "config", "check");
    expect(check.status).toBe(1);
    expect(check.stdout).toContain("config.yaml:3:1: There is no setting `prot`.\n    Did you mean `port`?");
    expect(check.stdout).toContain("The hub that runs found errors");
  });

  it("is at the path that is told, and odd words are not understood", () => {
    using home = temporary();
    expect(home.earshot("hub", "config", "path").stdout).toBe(`${join(home.path, "config.yaml")}\n`);
    for (const words of [["chek"], ["show", "more"], ["check", "--yaml"]])
      expect([words, home.earshot("hub", "config", ...words).status]).toEqual([words, 2]);
  });
});

describe("earshot, with a hub running", () => {
  it("opens that one; stop says where it stopped; restart goes on there with the same options", async () => {
    using home = temporary();
    const port = await freePort();
    home.write(`port: ${port}\n`);
    // A hub started by hand with its own options.
    await using hub = await startHub({ home: home.path, port, args: ["--strict"] });
    await hub.post("/v1/events", aopEvent({ session: "s", sequence: 1 }));
    const met = home.earshot("start", "--no-open", "--aop");
    expect(met).toMatchObject({ status: 0, stderr: "" });
    expect(met.stdout).toContain(`is running already at ${hub.url} (process ${hub.child.pid})`);
    expect(met.stdout).toContain("The options you gave were not used");
    const restarted = home.earshot("hub", "restart");
    expect(restarted).toMatchObject({ status: 0, stderr: "" });
    expect(restarted.stdout).toContain("stopped at position 1.");
    await once(hub.child, "close"); // its last words were waiting while the command ran
    expect(hub.log()).toContain("stopped at position 1.");
    const { url, pid } = home.address();
    expect([url, pid === hub.child.pid]).toEqual([hub.url, false]);
    const { configuration } = (await (await hub.get("/api/status")).json()) as Status;
    expect(configuration.settings).toContainEqual({ key: "strict", value: true, from: "flag" });
    expect((await hub.post("/v1/events", aopEvent({ session: "s", sequence: 2 }))).status).toBe(200);
    expect(JSON.parse(home.earshot("hub", "stop", "--json").stdout)).toMatchObject({ stopped: true, pid, position: 2 });
    expect(existsSync(join(home.path, "address.json"))).toBe(false);
    expect(home.earshot("hub", "stop")).toMatchObject({ status: 0, stdout: "No hub is running.\n" });
  });

  it("is one hub, also when two are started at the same moment", async () => {
    using home = temporary();
    home.write(`port: ${await freePort()}\n`);
    const env = { ...process.env, EARSHOT_HOME: home.path, EARSHOT_URL: "" };
    const both = [1, 2].map(() => spawn(process.execPath, [EARSHOT, "start", "--no-open"], { env, stdio: ["ignore", "pipe", "pipe"] }));
    try {
      const [loser, said] = await Promise.race(
        both.map(async (child) => {
          let text = "";
          child.stdout.on("data", (chunk) => {
            text += String(chunk);
          });
          await once(child, "close");
          return [child, text] as const;
        }),
      );
      const { url, pid } = home.address();
      expect([loser.exitCode, loser.pid === pid]).toEqual([0, false]);
      expect(said).toContain(`is running already at ${url} (process ${pid})`);
    } finally {
      for (const child of both) child.kill("SIGKILL");
      rmSync(join(home.path, "address.json"), { force: true });
    }
  });

  it("is started anew when the last one was killed and a stranger has its port", async () => {
    using home = temporary();
    await using other = await startHub();
    const file = join(home.path, "address.json");
    const { pid } = spawnSync(process.execPath, ["--version"]); // a process that is over
    writeFileSync(file, JSON.stringify({ url: other.url, pid, startedAt: "2026-01-01T00:00:00.000Z" }));
    expect(home.earshot("hub", "stop").stdout).toBe("No hub is running.\n");
  });

  it("stops nothing but its own hub, whatever the address file says", async () => {
    using home = temporary();
    await using other = await startHub();
    const bystander = process.pid; // would end this test
    const file = join(home.path, "address.json");
    writeFileSync(file, JSON.stringify({ url: other.url, pid: bystander, startedAt: "2026-01-01T00:00:00.000Z" }));
    const stopped = home.earshot("hub", "stop");
    expect(stopped.status).toBe(2);
    expect((await other.get("/health")).status).toBe(200);
    rmSync(file);
  });
});

describe("versions that meet", () => {
  const { version: CURRENT } = JSON.parse(readFileSync("packages/cli/package.json", "utf8")) as { readonly version: string };

  /** Another version: the same code with another number. */
  const meet = (home: ReturnType<typeof temporary>, version: string) => {
    const file = join(home.path, "as-version.mjs");
    const hook = `import { registerHooks } from "node:module";
registerHooks({ load(url, context, next) {
  const loaded = next(url, context);
  if (!url.includes("/dist/earshot/dist/")) return loaded;
  return { ...loaded, source: Buffer.from(loaded.source).toString().replaceAll('"${CURRENT}"', '"${version}"') };
} });`;
    writeFileSync(file, hook);
    return (...args: readonly string[]) =>
      spawnSync(process.execPath, ["--import", file, EARSHOT, ...args], {
        env: { ...process.env, EARSHOT_HOME: home.path, EARSHOT_URL: "" },
        encoding: "utf8",
        timeout: 60_000,
      });
  };

  it("are told apart: a newer command offers to restart, an older one explains why it does not", async () => {
    using home = temporary();
    await using hub = await startHub({ home: home.path });
    const newer = meet(home, "99.0.0")("start", "--no-open");
    expect(newer.status).toBe(0);
    expect(newer.stdout).toContain("This command is newer: 99.0.0.");
    expect(newer.stdout).toContain("earshot hub restart");
    const older = meet(home, "0.0.1");
    expect(older("start", "--no-open")).toMatchObject({ status: 0, stdout: expect.stringContaining("This command is older: 0.0.1.") });
    expect(older("hub", "restart")).toMatchObject({ status: 2, stderr: expect.stringContaining("does not open it and does not touch it") });
    expect((await hub.get("/health")).status).toBe(200);
  });
});
