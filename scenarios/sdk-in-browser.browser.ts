import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { build, type Rollup } from "vite";
import { describe, expect, it } from "vitest";
import { launchChromium } from "../tools/chromium.ts";
import { type HubProcess, startHub } from "./hub/hub-process.ts";

/** Bundled like a web application and run in a real browser behind a proxy of the page's origin. */
const ENTRY = "virtual:entry";
const SOURCE = `
import { aaep, aop } from "@earshot/sdk";
const agent = aop({ agentId: "page-agent" });
const announcing = aaep({ agentId: "page-agent", agentName: "Page agent" });
window.announce = async () => {
  const session = announcing.session({ summary: "Helping the reader." });
  session.thinking("Looking for the price.");
  await session.tool("search", { args: { query: "price" } }, () => fetch("/health"));
  const asked = await session.confirm({ action: "Buy it.", consequence: "It is paid.", risk: "medium" });
  await session.say(asked.accepted ? "Bought." : "Not bought.");
  await announcing.flush(5000);
  void session.tool("watch", {}, () => new Promise(() => {})).catch(() => {});
  return [session.sessionId, asked.accepted ? "accepted" : asked.why];
};
window.speak = async () => {
  const session = agent.session({ goal: "Help the reader." });
  session.thought("They look for the price.");
  await session.tool("search", { query: "price" }, () => fetch("/health"));
  await agent.flush(5000);
  session.thought("Said just before the page is closed.");
  return session.sessionId;
};
`;

interface Said {
  readonly type: string;
  readonly sequence: number;
  readonly payload: { readonly outcome?: string };
}

describe("an agent in a page", () => {
  // A busy browser may drop requests while a page closes, which nothing can prevent.
  it("is heard through a proxy of its own origin, also when the page is closed", { retry: 1, timeout: 60_000 }, async () => {
    const bundle = await bundleEntry();
    expect(bundle).not.toMatch(/node:|require\(/);
    await using hub = await startHub();
    const server = createServer(async (request, response) => {
      const { url = "/", method = "GET" } = request;
      if (url === "/bundle.js") return response.setHeader("content-type", "text/javascript").end(bundle);
      if (url === "/") return response.setHeader("content-type", "text/html").end('<script type="module" src="/bundle.js"></script>');
      // A hub rejects requests from pages; the proxy forwards no page headers.
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const type = request.headers["content-type"] ?? "application/json";
      const init =
        method === "GET" ? { method } : { method, headers: { "content-type": type }, body: new Uint8Array(Buffer.concat(chunks)) };
      const answer = await fetch(hub.url + url, init);
      return response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const browser = await launchChromium();
    try {
      const tab = await browser.newPage();
      await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      await tab.waitForFunction(() => "speak" in window);
      const session = await tab.evaluate(() => (window as unknown as { speak(): Promise<string> }).speak());
      const announce = () => (window as unknown as { announce(): Promise<[string, string]> }).announce();
      const [announced, outcome] = await tab.evaluate(announce);
      await tab.goto("about:blank");
      const said = await untilEnded(hub, session);
      expect(said.map(({ type }) => type)).toEqual([
        "session.started",
        "cognition.thought",
        "operation.tool_start",
        "operation.tool_end",
        "cognition.thought",
        "session.ended",
      ]);
      expect(said.at(-1)?.payload).toMatchObject({ outcome: "cancelled" });
      // A page's user is unknown, so nobody is asked.
      expect(outcome).toBe("nobody");
      const told = await untilCancelled(hub, announced);
      expect(told.map(({ type }) => type.replace("aaep:agent.", "")).filter((type) => type !== "state.changed")).toEqual([
        "session.started",
        "tool.invoked",
        "tool.completed",
        "awaiting.confirmation",
        "output.streaming",
        "tool.invoked",
        "tool.completed",
        "session.cancelled",
      ]);
      expect(told.at(-1)).toMatchObject({ summary_normal: "The page was closed." });
      expect(told.findLast(({ type }) => type.endsWith("tool.completed"))).toMatchObject({ status: "timeout" });
    } finally {
      await browser.close();
      server.close();
    }
  });
});

async function bundleEntry(): Promise<string> {
  const output = (await build({
    configFile: false,
    logLevel: "error",
    plugins: [{ name: "entry", resolveId: (id) => (id === ENTRY ? id : undefined), load: (id) => (id === ENTRY ? SOURCE : undefined) }],
    root: resolve("packages/cli"),
    build: { write: false, minify: false, rollupOptions: { input: ENTRY, output: { format: "es" } } },
  })) as Rollup.RollupOutput;
  return output.output[0].code;
}

async function untilCancelled(hub: HubProcess, session: string): Promise<readonly { readonly type: string }[]> {
  for (;;) {
    const exported = await (await hub.get(`/api/export?session=${session}`)).text();
    if (exported.includes("session.cancelled"))
      return exported
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { readonly type: string });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function untilEnded(hub: HubProcess, session: string): Promise<Said[]> {
  for (;;) {
    const { events } = (await (await hub.get(`/sessions/${session}`)).json()) as { readonly events?: Said[] };
    if (events?.some(({ type }) => type === "session.ended")) return events;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
