import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { build, type Rollup } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CONFORMANCE_CASES } from "../packages/protocol/testing/conformance.ts";
import { launchChromium } from "../tools/chromium.ts";

/** Bundled like a web application and run in a real browser. */
const ENTRY = "virtual:entry";
const SOURCE = `
import { createJudge, PROTOCOLS, readJson, recogniseProtocol } from "@earshot/protocol";
window.judge = (lines) => {
  const judges = {};
  const told = [];
  lines.forEach((line, index) => {
    const read = readJson(line);
    if (!read.ok) return told.push(read.problem.code);
    const protocol = recogniseProtocol(read.value);
    const judge = (judges[protocol.name] ??= createJudge(protocol, { tell: ({ finding }) => told.push(finding.rule) }));
    judge.handle(protocol.read(read.value, read.facts), index + 1, read.facts);
  });
  Object.values(judges).forEach((judge) => judge.end());
  return told.filter((rule) => !rule.includes("/") || PROTOCOLS[rule.split("/")[0]].rules[rule].severity === "error");
};
`;

describe("the protocols in a browser", () => {
  let bundle = "";
  const server = createServer((request, response) => {
    const isScript = request.url === "/bundle.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    // As strict as the dashboard's page: it forbids generated code.
    response.setHeader("content-security-policy", "default-src 'none'; script-src 'self'");
    response.end(isScript ? bundle : '<!doctype html><title>Earshot</title><script type="module" src="/bundle.js"></script>');
  });

  beforeAll(async () => {
    const output = (await build({
      configFile: false,
      logLevel: "error",
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

  it("judge every conformance case as expected where generated code is forbidden", async () => {
    const browser = await launchChromium();
    try {
      const tab = await browser.newPage();
      const errors: string[] = [];
      tab.on("pageerror", (error) => errors.push(error.message));
      await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      for (const { id, valid, findings, lines } of CONFORMANCE_CASES) {
        const told = await tab.evaluate(
          (all) => (window as unknown as { judge(lines: readonly string[]): readonly string[] }).judge(all),
          lines,
        );
        if (valid) expect(told, id).toEqual([]);
        else
          expect(told, id).toEqual(expect.arrayContaining(findings.filter(({ severity }) => severity === "error").map(({ rule }) => rule)));
      }
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
