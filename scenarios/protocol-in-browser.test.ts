import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { build, type Rollup } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromiumIsMissing, launchChromium } from "../tools/chromium.ts";

/** Bundled as a web application would bundle it, and run in a real browser. */
const ENTRY = "virtual:entry";
const SOURCE = `
import { PROTOCOLS, readJson, recogniseProtocol } from "@earshot/protocol";
window.judge = (lines) => {
  const judges = {};
  const told = [];
  lines.forEach((line, index) => {
    const read = readJson(line);
    if (!read.ok) return told.push(read.problem.code);
    const protocol = recogniseProtocol(read.value);
    const judge = (judges[protocol.name] ??= protocol.createJudge({ tell: ({ finding }) => told.push(finding.rule) }));
    judge.hear(protocol.read(read.value, read.facts), index + 1, read.facts);
  });
  Object.values(judges).forEach((judge) => judge.end());
  return told.filter((rule) => !rule.includes("/") || PROTOCOLS[rule.split("/")[0]].rules[rule].severity === "error");
};
`;

interface Fixture {
  readonly file: string;
  readonly expect: "valid" | "invalid";
  readonly rule?: string;
  readonly severity?: string;
}

describe.skipIf(chromiumIsMissing("the protocols in a browser"))("the protocols in a browser", () => {
  let bundle = "";
  const server = createServer((request, response) => {
    // As strict as the dashboard's own page: generated code is forbidden where `eval` is not named.
    const policy = `default-src 'none'; script-src 'self'${request.url?.includes("eval") === true ? " 'unsafe-eval'" : ""}`;
    const isScript = request.url === "/bundle.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.setHeader("content-security-policy", policy);
    response.end(isScript ? bundle : '<!doctype html><title>Earshot</title><script type="module" src="/bundle.js"></script>');
  });

  beforeAll(async () => {
    const output = (await build({
      configFile: false,
      logLevel: "error",
      resolve: { conditions: ["earshot-source"] },
      plugins: [{ name: "entry", resolveId: (id) => (id === ENTRY ? id : undefined), load: (id) => (id === ENTRY ? SOURCE : undefined) }],
      root: resolve("packages/cli"),
      build: { write: false, minify: false, rollupOptions: { input: ENTRY, output: { format: "es" } } },
    })) as Rollup.RollupOutput;
    bundle = output.output[0].code;
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  });
  afterAll(() => server.close());

  it("bundle without anything of Node", () => {
    expect(bundle).not.toMatch(/node:|require\(/);
  });

  for (const page of ["/", "/eval"]) {
    it(`judge every conformance fixture as Node does, ${page === "/" ? "where generated code is forbidden" : "where it is allowed"}`, async () => {
      const browser = await launchChromium();
      try {
        const tab = await browser.newPage();
        const errors: string[] = [];
        tab.on("pageerror", (error) => errors.push(error.message));
        await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}${page}`);
        const { fixtures } = JSON.parse(readFileSync("conformance/manifest.json", "utf8")) as { readonly fixtures: readonly Fixture[] };
        for (const fixture of fixtures) {
          const lines = readFileSync(`conformance/${fixture.file}`, "utf8").trimEnd().split("\n");
          const told = await tab.evaluate(
            (all) => (window as unknown as { judge(lines: readonly string[]): readonly string[] }).judge(all),
            lines,
          );
          if (fixture.expect === "valid") expect(told, fixture.file).toEqual([]);
          else if (fixture.severity === "error") expect(told, fixture.file).toContain(fixture.rule);
        }
        expect(errors).toEqual([]);
      } finally {
        await browser.close();
      }
    });
  }
});
