import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { THREADS } from "./command.config.ts";

describe("the command as it is published", () => {
  const texts = globSync("packages/{cli,hub,aaep,agents,policy,protocol,translate,sdk}/src/**/*.ts")
    .filter((path) => !path.endsWith(".test.ts") && !path.includes("/testing/"))
    .map((path) => [path, readFileSync(path, "utf8")] as const);

  it("has a file for every thread that is started by name", () => {
    const started = texts.flatMap(([, text]) => [...text.matchAll(/"\.\/([\w-]+)\.ts" : "\.\/\1\.js"/g)].map(([, name]) => name));
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
      'packages/agents/src/files/shipped-agents.ts: new URL("../../compiled/", import.meta.url)', // see `shipAgents`
      'packages/cli/src/start-detached.ts: new URL("../bin/earshot.cjs", import.meta.url)',
    ]);
  });
});
