import { resolve } from "node:path";
import { build, type Rollup } from "vite";
import { describe, expect, it } from "vitest";
import { confirmationEvent, testEvent } from "../packages/aaep/src/subscriber/testing/events.ts";
import { openLiveProducer } from "../packages/aaep/src/subscriber/testing/live-producer.ts";
import { until } from "../packages/aaep/src/subscriber/testing/until.ts";
import { launchChromium } from "../tools/chromium.ts";

const ENTRY = "virtual:entry";
const SOURCE = `
import { subscribe } from "@earshot/sdk";
window.heard = [];
window.listen = async (path) => {
  const url = new URL(path, location.href.replace(/^http/, path.endsWith("/ws") ? "ws" : "http")).href;
  const events = subscribe(url, { preferred_verbosity: "detailed", coalesce_boundaries: ["none", "completion"] });
  window.close = () => events.close();
  for await (const event of events) {
    window.heard.push(event.tool ?? event.type);
    if (event.reply_token !== undefined) await events.reply(event, { decision: "accept", decidedBy: "user:a page" });
  }
};
`;

interface Page {
  readonly heard: readonly string[];
  listen(path: string): Promise<void>;
  close(): Promise<void>;
}

describe("a page that subscribes", () => {
  it.each(["/aaep/v1", "/aaep/v1/ws"])("hears every event once, through cuts, and answers (%s)", async (path) => {
    const bundle = await bundleEntry();
    expect(bundle).not.toMatch(/node:|require\(/);
    await using live = await openLiveProducer({
      pages: ({ url }, response) => {
        if (url === "/bundle.js") response.setHeader("content-type", "text/javascript").end(bundle);
        else if (url === "/") response.setHeader("content-type", "text/html").end('<script type="module" src="/bundle.js"></script>');
        return url === "/bundle.js" || url === "/";
      },
    });
    const browser = await launchChromium();
    try {
      const tab = await browser.newPage();
      await tab.goto(new URL("/", live.url).href);
      await tab.waitForFunction(() => "listen" in window);
      await tab.evaluate((where) => void (window as unknown as Page).listen(where), path);
      await until(() => live.producer.attached === 1, "the subscription");
      const step = (index: number) =>
        testEvent("tool.invoked", { tool: `step_${index}`, summary_normal: "A step.", timestamp: new Date().toISOString() });
      const count = () => tab.evaluate(() => (window as unknown as Page).heard.length);
      for (let index = 0; index < 30; index++) {
        live.say(step(index));
        if (index === 5) while ((await count()) < 6) await new Promise((done) => setTimeout(done, 20));
        if (index === 10) live.cut();
      }
      live.say(confirmationEvent("rpl_1", { timestamp: new Date().toISOString() }));
      await until(() => live.replies.length === 1, "the reply");
      expect(live.replies[0]).toMatchObject({ decision: "accept", decided_by: "user:a page" });
      const heard = await tab.evaluate(() => (window as unknown as Page).heard);
      const steps = Array.from({ length: 30 }, (_one, index) => `step_${index}`);
      // Critical events may overtake others; each step arrives once, in order.
      expect(heard.filter((one) => one.startsWith("step_"))).toEqual(steps);
      await tab.evaluate(() => (window as unknown as Page).close());
      await until(() => live.producer.size === 0, "the end of the subscription");
    } finally {
      await browser.close();
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
