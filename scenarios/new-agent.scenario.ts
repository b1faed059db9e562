import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { filesBelow } from "../tools/generate.ts";

/** Parts of the repository that this test reads or writes. */
const PARTS = ["packages", "scenarios", "tools", "docs", "conformance", "package.json", "vitest.config.ts", "tsconfig.json"];

/** A copy of the repository whose packages resolve to each other. */
function copyRepository(): string {
  const root = mkdtempSync(join(tmpdir(), "earshot-new-agent-"));
  for (const part of PARTS)
    cpSync(part, join(root, part), { recursive: true, filter: (path) => !/[\\/](?:node_modules|dist)$/.test(path) });
  mkdirSync(join(root, "node_modules", "@earshot"), { recursive: true });
  for (const name of readdirSync("node_modules"))
    if (name !== "@earshot" && name !== "earshot") symlinkSync(join(process.cwd(), "node_modules", name), join(root, "node_modules", name));
  for (const name of readdirSync("node_modules/@earshot"))
    symlinkSync(join(root, "packages", name), join(root, "node_modules", "@earshot", name));
  return root;
}

/** Nova takes hooks like Factory Droid, under its own names. */
function inventAgent(root: string): void {
  const [from, to] = ["droid", "nova"].map((slug) => join(root, "packages/agents/agents", slug)) as [string, string];
  for (const path of filesBelow(from)) {
    const text = readFileSync(path, "utf8")
      .replaceAll(/Factory Droid|Droid/g, "Nova")
      .replaceAll("FACTORY_PROJECT_DIR", "NOVA_PROJECT_DIR")
      .replaceAll("aliases: [factory, factory-droid]", "aliases: [nova-code]")
      .replaceAll("factory", "nova")
      .replaceAll("droid", "nova");
    const target = path.replace(from, to);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}

function snapshot(root: string): ReadonlyMap<string, string> {
  return new Map(
    ["packages", "docs", "tools"].flatMap((part) =>
      filesBelow(join(root, part)).map((path) => [path.slice(root.length + 1), readFileSync(path, "latin1")]),
    ),
  );
}

it("a folder is all that a new agent takes", () => {
  const root = copyRepository();
  const run = (args: readonly string[], input = "", env: Readonly<Record<string, string>> = {}) => {
    const home = join(root, "home");
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: root,
      input,
      encoding: "utf8",
      env: { ...process.env, HOME: home, EARSHOT_HOME: join(home, ".earshot"), NO_COLOR: "1", ...env },
    });
    expect(status === 0 ? "" : `${stdout}${stderr}`).toBe("");
    return stdout;
  };
  const earshot = (args: readonly string[], input?: string, env?: Readonly<Record<string, string>>) =>
    run(["packages/cli/bin/earshot.cjs", ...args], input, env);
  try {
    const before = snapshot(root);
    inventAgent(root);
    run(["tools/generate.ts"]);

    const after = snapshot(root);
    const changed = [...after].filter(([path, text]) => before.get(path) !== text).map(([path]) => path);
    expect(changed.filter((path) => !path.startsWith("packages/agents/agents/nova/"))).toEqual([
      "packages/protocol/src/coding-agents.ts",
      "docs/agents.md",
      "docs/install-agents.md",
    ]);
    expect(after.get("docs/agents.md")).toContain("## Nova (`nova`)");
    expect(after.get("docs/install-agents.md")).toContain("| Nova | `nova` | `~/.nova/hooks.json` | `.nova/hooks.json` |");

    expect(earshot(["init", "--agent", "nova-code", "--dry-run"])).toMatch(
      /\.nova\/hooks\.json[\s\S]*bin\/earshot-hook nova PreToolUse 86400/,
    );
    const payload = JSON.stringify({ hook_event_name: "Stop", session_id: "s", cwd: "/w" });
    expect(earshot(["map", "nova"], payload)).toContain("agent.stop");
    const recognise =
      "import { recogniseSender } from '@earshot/agents'; console.log(recogniseSender({ hook_event_name: 'Stop' }, { env: process.env }).slug);";
    expect(run(["--input-type=module", "-e", recognise], "", { NOVA_PROJECT_DIR: "/w" })).toBe("nova\n");
    const guard =
      "import { AGENT_PATHS, AGENT_PROGRAMS } from '@earshot/protocol/coding-agents'; console.log(AGENT_PATHS.includes('**/.nova/**'), AGENT_PROGRAMS.includes('nova'));";
    expect(run(["--input-type=module", "-e", guard])).toBe("true true\n");

    const tests = ["packages/agents/src/agents.test.ts", "packages/agents/src/answers/render-answer.test.ts"];
    run(["node_modules/vitest/vitest.mjs", "run", "--project", "fast-pure", "--reporter=dot", ...tests]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
