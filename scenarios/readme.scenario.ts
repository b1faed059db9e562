import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "./hub/hub-process.ts";

/** Every snippet of the README, run in a checkout by a user with an empty home folder and one coding agent. */

const root = resolve(import.meta.dirname, "..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const SNIPPETS = [...readme.matchAll(/(?<=\n\n)(?: {4}.*\n|\n(?= {4}))+/g)].map(([text]) => text.replaceAll(/^ {4}/gm, "").trim());

interface CommandRun {
  /** Words that a test needs in addition, because it has no terminal or no time. */
  readonly more?: string;
  /** For commands that run until they are stopped: what they print first. */
  readonly until?: RegExp;
  readonly status?: number;
}

const RUNS: Readonly<Record<string, CommandRun>> = {
  "npm start": { until: /listens at/ },
  // Its question waits two minutes for an answer.
  "npx earshot demo": { more: " --speed 20", until: /and waits for you/ },
  "npx earshot init": { more: " --yes" },
  "npx earshot doctor --drill": {},
  "npx earshot inbox": { until: /\S/ },
  "npx earshot listen": { until: /\S/ },
  "npx earshot sessions": {},
  "npx earshot hub verify": {},
  "npx earshot check packages/cli/recordings/rollback.aaep.jsonl": { status: 1 },
  "npm run docs": { more: " -- FOLDER" },
};
/** Runs the fast tests, which is what CI does first. */
const RUN_ELSEWHERE = new Set(["npm test"]);

let home: string;
let port: number;
let hub: ChildProcess;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "earshot-readme-"));
  port = await freePort();
  mkdirSync(join(home, ".earshot"));
  mkdirSync(join(home, ".claude"));
  writeFileSync(join(home, ".earshot/config.yaml"), `port: ${port}\n`);
  hub = start("npm start");
  await untilPrinted(hub, RUNS["npm start"]?.until ?? /\S/);
});
afterAll(async () => {
  await stop(hub);
  rmSync(home, { recursive: true, force: true });
});

describe("a command of the README", () => {
  const lines = SNIPPETS.flatMap((text) => text.replaceAll("\\\n", "").split("\n"))
    .map((line) =>
      line
        .replace(/\s{2,}#.*$/, "")
        .replaceAll(/\s+/g, " ")
        .trim(),
    )
    .filter((line) => /^(?:npm|npx|curl) /.test(line) && line !== "npm start" && !RUN_ELSEWHERE.has(line));

  it("is one of many", () => expect(lines.length).toBeGreaterThanOrEqual(9));

  it.each(lines)("%s", async (line) => {
    const run = line.startsWith("curl ") ? {} : RUNS[line];
    expect(run, "a line of RUNS that says how a test runs it").toBeDefined();
    const { more = "", until, status = 0 } = run ?? {};
    const child = start(line + more.replace("FOLDER", join(home, "site")));
    if (until !== undefined) {
      await untilPrinted(child, until);
      return stop(child);
    }
    const [output, code] = await readOutput(child);
    expect(code, output).toBe(status);
    for (const told of SNIPPETS.filter((text) => text.startsWith("error: ")))
      if (line.includes("earshot check")) expect(output).toContain(told);
  });
});

it("has rules without errors", async () => {
  const rules = SNIPPETS.filter((text) => text.startsWith("extends:"));
  expect(rules).toHaveLength(1);
  const path = join(home, "policy.yaml");
  writeFileSync(path, `${rules[0]}\n`);
  const [output, code] = await readOutput(start(`npx earshot policy check ${path}`));
  expect(code, output).toBe(0);
});

it("has a program that reports a session to the hub", async () => {
  const programs = SNIPPETS.filter((text) => text.startsWith("const "));
  expect(programs).toHaveLength(1);
  const folder = join(root, ".cache/readme");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "agent.ts");
  writeFileSync(
    path,
    `import { aop } from "@earshot/sdk";\nconst revert = async () => "reverted";\n${programs[0]}\nawait agent.close();\n`,
  );
  const [output, code] = await readOutput(start(`node tools/install.cjs ${path}`));
  expect(code, output).toBe(0);
  await expect.poll(async () => (await readOutput(start("npx earshot sessions")))[0]).toContain("Roll back the last release");
});

function start(command: string): ChildProcess {
  const { EARSHOT_HOME: _home, EARSHOT_URL: _url, DISPLAY: _display, ...rest } = process.env;
  const env = { ...rest, HOME: home, XDG_RUNTIME_DIR: home };
  return spawn("bash", ["-c", command.replace(":4747", `:${port}`)], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
}

async function readOutput(child: ChildProcess): Promise<[output: string, code: unknown]> {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = await once(child, "close");
  return [output, code];
}

async function untilPrinted(child: ChildProcess, wanted: RegExp): Promise<void> {
  let output = "";
  const { promise, resolve: found, reject } = Promise.withResolvers<void>();
  child.stdout?.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    if (wanted.test(output)) found();
  });
  child.stderr?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.once("close", () => reject(new Error(`It ended before it printed ${wanted}: ${output}`)));
  await promise;
}

/** Stops a command with the programs that it started. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  const ended = once(child, "close");
  process.kill(-child.pid, "SIGTERM");
  await ended;
}
