import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";
import { describe, expect, it } from "vitest";
import * as fromYaml from "../packages/agents/src/files/shipped-agents.ts";
import { compileAgents, THREADS } from "./build-command.ts";

describe("the command as it is published", () => {
  const texts = globSync("packages/{cli,hub,aaep,agents,announcer,narrate,policy,protocol,recordings,sdk,terminal}/src/**/*.ts")
    .filter((path) => !path.endsWith(".test.ts") && !path.includes("/testing/"))
    .map((path) => [path, readFileSync(path, "utf8")] as const);

  it("has a file for every thread that is started by name", () => {
    const named = /"\.\/([\w-]+)\.ts" : "\.\/\1\.js"|startThread\("(?:[\w-]+\/)?([\w-]+)"/g;
    const started = texts.flatMap(([, text]) => [...text.matchAll(named)].map(([, own, hub]) => own ?? hub));
    expect([...new Set(started)].sort()).toEqual(Object.keys(THREADS).sort());
  });

  it("looks for nothing beside its sources that would not be beside its files", () => {
    const places = texts.flatMap(([path, text]) => {
      const threads = /new URL\((?:isSource \?|name,)/;
      return [...text.matchAll(/new URL\([^)]*import\.meta\.url\)/g)]
        .filter(([place]) => !threads.test(place))
        .map(([place]) => `${path}: ${place}`);
    });
    expect(places.sort()).toEqual([
      'packages/agents/src/files/compiled-agents.ts: new URL("./agents/", import.meta.url)',
      'packages/agents/src/files/shipped-agents.ts: new URL("../../agents/", import.meta.url)', // not in the bundle, see `compileAgents`
      "packages/cli/src/dashboard-folder.ts: new URL(path, import.meta.url)", // `./ui/` in the bundle, the build of the dashboard in a clone
      'packages/cli/src/start-detached.ts: new URL("../bin/earshot.cjs", import.meta.url)',
    ]);
  });
});

describe("the agents in the built command", () => {
  it("are what their YAML files say, for every agent, without a YAML parser", async () => {
    const folder = mkdtempSync(join(tmpdir(), "earshot-agents-"));
    try {
      const input = fileURLToPath(new URL("../packages/agents/src/files/shipped-agents.ts", import.meta.url));
      const output = { entryFileNames: "agents.js" };
      await build({
        configFile: false,
        logLevel: "error",
        plugins: [compileAgents()],
        build: { ssr: true, outDir: folder, rolldownOptions: { input, output } },
      });
      const built = (await import(pathToFileURL(join(folder, "agents.js")).href)) as typeof fromYaml;
      expect(built.agentCards()).toStrictEqual(fromYaml.agentCards());
      expect(built.shippedAgents()).toEqual(fromYaml.shippedAgents());
      for (const slug of fromYaml.shippedAgents())
        expect(built.readShippedAgent(slug), slug).toStrictEqual(fromYaml.readShippedAgent(slug));
      expect(built.readShippedAgent("nobody")).toBeUndefined();
      expect(readFileSync(join(folder, "agents.js"), "utf8")).not.toContain("yaml");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
