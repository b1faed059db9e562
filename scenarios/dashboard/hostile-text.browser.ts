import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callJson, TestDevice } from "../../packages/hub/src/access/testing/test-device.ts";
import { launchChromium } from "../../tools/chromium.ts";
import type { HubProcess } from "../hub/hub-process.ts";
import { createAsker } from "./asker.ts";
import { HOSTILE_TEXTS } from "./hostile-texts.ts";
import { openDashboard } from "./open-dashboard.ts";
import { settle } from "./settle.ts";

const QUOTED = /<\w+ [^>]*pwned/;
const PAGES = [
  "",
  "inbox",
  "search?text=pwned",
  "alerts",
  "heard",
  "policy",
  "policy/edit",
  "check",
  "agents",
  "sessions",
  "costs",
  "settings",
];

describe("what agents write", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  it("runs nothing, calls nobody, goes nowhere and says nothing to the console, on every page and in every field", async () => {
    await using dashboard = await openDashboard(browser);
    const { page, hub, context } = dashboard;
    await using asker = createAsker(hub);
    await sayAll(hub);
    for (const text of HOSTILE_TEXTS.slice(0, 12)) await asker.hook(text, { command: text, file_path: text, [text]: text });
    await asker.aaep("awaiting.clarification", { question: HOSTILE_TEXTS[1], summary_normal: HOSTILE_TEXTS[2] });
    await claimAs(hub, HOSTILE_TEXTS[1] ?? "");

    const happened: string[] = [];
    context.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (origin !== hub.url && protocol !== "data:") happened.push(`request: ${request.url()}`);
    });
    context.on("console", (message) => happened.push(`console: ${message.text()}`));
    context.on("dialog", (dialog) => happened.push(`dialog: ${dialog.message()}`));
    context.on("page", (opened) => happened.push(`page: ${opened.url()}`));
    page.on("pageerror", (error) => happened.push(`error: ${error.message}`));

    const { items } = (await (await hub.get("/api/sessions?limit=200")).json()) as { readonly items: readonly { readonly key: number }[] };
    expect(items.length).toBeGreaterThan(HOSTILE_TEXTS.length);
    const sessions = items.slice(-6).map(({ key }) => `session/${key}`);
    const expected = ["", "inbox", "search?text=pwned", "alerts", "check", "settings"];
    const shown: string[] = [];
    for (const path of [...PAGES, ...sessions]) {
      await dashboard.visit(path);
      await settle(page);
      // The whole text must be present. Parts of a page load one after the other.
      const text = () => page.getByRole("main").innerText();
      if (expected.includes(path)) await expect.poll(text, { message: path }).toMatch(QUOTED);
      else if (QUOTED.test(await text())) shown.push(path);
      happened.push(...(await page.evaluate(findMisdeeds)).map((line) => `${path}: ${line}`));
      expect(new URL(page.url()).pathname).toBe(`/ui/${path.split("?")[0]}`);
    }
    expect(happened).toEqual([]);
    expect(shown.filter((path) => path.startsWith("session/")).length).toBeGreaterThan(2);
  });

  it("is looked for where it would be: the same texts as a page of their own do all of it", async () => {
    const page = await (await browser.newContext()).newPage();
    const called: string[] = [];
    await page.route("**/*", (route) => {
      called.push(new URL(route.request().url()).hostname);
      return route.abort();
    });
    await page.setContent(`<div id="root">${HOSTILE_TEXTS.filter((text) => !text.includes("refresh")).join("\n")}</div>`).catch(() => {});
    const misdeeds = await page.evaluate(findMisdeeds);
    expect(misdeeds).toEqual(
      expect.arrayContaining(["ran", "SCRIPT", "IFRAME", expect.stringMatching(/^handler/), expect.stringMatching(/^href/)]),
    );
    expect(called).toContain("evil.example");
    await page.context().close();
  });
});

/** Runs in the page: finds anything that hostile text should not be able to add. */
function findMisdeeds(): readonly string[] {
  const found: string[] = [];
  if ("pwned" in globalThis || "pwned" in {}) found.push("ran");
  for (const element of document.querySelectorAll("#root *")) {
    if (/^(?:script|iframe|object|embed|base|meta|link|style|form\[action\]|template|math)$/i.test(element.tagName))
      found.push(element.tagName);
    for (const { name, value } of element.attributes) {
      if (name.startsWith("on")) found.push(`handler ${name}`);
      const isAddress = ["href", "src", "action", "formaction", "poster", "srcset", "data"].includes(name);
      if (isAddress && /^\s*(?:javascript|vbscript|file|data:text)/i.test(value)) found.push(`${name} ${value.slice(0, 60)}`);
      if (isAddress && name !== "href" && /^\s*(?:https?:)?\/\//i.test(value)) found.push(`${name} ${value.slice(0, 60)}`);
    }
  }
  return found;
}

/** Sends hostile text in every protocol and every field that a page might show. */
async function sayAll(hub: HubProcess): Promise<void> {
  const producer = { authorization: `Bearer ${readFileSync(join(hub.home, "producer.token"), "utf8").trim()}` };
  const time = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
  const events = HOSTILE_TEXTS.flatMap((text, index) => {
    const aop = (sequence: number, type: string, payload: object) => ({
      spec: "aop/1.0",
      session_id: `hostile-${index}`,
      agent_id: text.slice(0, 200),
      sequence,
      timestamp: time(sequence),
      type,
      payload,
    });
    const aep = (number: number, type: string, more: object) => ({
      aep_version: "0.1",
      id: `evt_h${index}_${number}`,
      type,
      time: time(number),
      agent: { slug: "stranger", display_name: text },
      session: { id: `hostile-aep-${index}` },
      workspace: { cwd: `/home/${text}` },
      ...more,
    });
    const call = (sequence: number) => ({ tool_name: text, tool_call_id: `c${sequence}`, input: { command: text, [text]: text } });
    return [
      aop(1, "session.started", { goal: text }),
      aop(2, "cognition.thought", { content: text }),
      ...[3, 5, 7].flatMap((sequence) => [
        aop(sequence, "operation.tool_start", call(sequence)),
        aop(sequence + 1, "operation.tool_end", { ...call(sequence), success: false, result_summary: text }),
      ]),
      aop(9, "session.ended", { outcome: "failed", error_message: text }),
      aep(1, "prompt.submitted", { content: [{ type: "prompt", text, style: "markdown" }] }),
      aep(2, "model.response", { content: [{ type: "response", text, style: "html" }] }),
      aep(3, "action.requested", {
        action: { type: "tool_call", id: "c", input: { command: text } },
        tool: { name: text, type: "native" },
      }),
    ];
  });
  const headers = { ...producer, "content-type": "application/x-ndjson" };
  const body = events.map((event) => JSON.stringify(event)).join("\n");
  const response = await fetch(`${hub.url}/v1/events`, { method: "POST", headers, body });
  if (!response.ok) throw new Error(await response.text());
}

/** A browser that claims a device name. */
async function claimAs(hub: HubProcess, name: string): Promise<void> {
  const { code } = await callJson(hub.url, "/api/pairings", { role: "viewer" }, hub.viewer());
  await callJson(hub.url, "/api/pair/claim", { code, key: new TestDevice().key, name });
}
