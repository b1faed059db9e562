import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callJson, provePinInTest } from "../../packages/hub/src/access/testing/test-device.ts";
import { launchChromium } from "../../tools/chromium.ts";
import { createAsker } from "./asker.ts";
import { DEVICE, type OpenDashboard, openDashboard, PIN } from "./open-dashboard.ts";
import { aaep, aep, aepCall, aop, keyOf, part, tell, tellLong } from "./session-events.ts";

/** One red dot. */
const PICTURE = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

const HOSTILE: readonly string[] = [
  "<script>window.pwned = 1</script>",
  "<img src=x onerror=window.pwned=1><svg onload=window.pwned=1><svg><script>window.pwned=1</script></svg>",
  "<iframe src=javascript:window.pwned=1></iframe><base href=https://evil.example><meta http-equiv=refresh content=0;url=https://evil.example>",
  "<style>@import 'https://evil.example/a.css'; * { display: none }</style><link rel=stylesheet href=https://evil.example/b.css>",
  "[press me](javascript:window.pwned=1) [and me](data:text/html,<script>window.pwned=1</script>) [or me](vbscript:x) [me](file:///etc/passwd)",
  "![far](https://evil.example/track.png) ![drawn](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+) ![x](//evil.example/x.png)",
  "[your bank](https://evil.example/login) <https://evil.example/auto> https://evil.example/bare [a]: https://evil.example/ref",
  "```html\n<script>window.pwned = 1</script>\n```\n\n| <b>a</b> | b |\n|---|:-:|\n| <i onclick=x>1</i> | ![](https://evil.example/cell.png) |",
  "\u202egnp.exe\u202c \u2066x\u2069 re\u200bmove \u0000\u0007\u001b[2J\u001b]0;owned\u0007 \ud800 \u{e0041}",
  `rm -rf / #${" ".repeat(5000)}hidden far to the right`,
  `${"> ".repeat(3000)}deep ${"[".repeat(3000)} ${"**".repeat(2000)}`,
  `${"x".repeat(200_000)}`,
  `${"\u0301".repeat(5000)}zalgo ${"﷽".repeat(200)} שלום مرحبا`,
  '{"__proto__": {"polluted": true}, "constructor": {"prototype": 1}}',
  "--- a/<script>\n+++ b/<script>\n@@ -1 +1 @@\n-<img src=x onerror=window.pwned=1>\n+javascript:window.pwned=1",
  "{{constructor.constructor('window.pwned=1')()}} #{window.pwned=1} %0d%0a\r\nset-cookie: a=b",
];

/** Timeline rows by the text of their first line. */
const row = (page: Page, name: string | RegExp) => page.getByRole("listitem").filter({ has: page.getByRole("button", { name }) });

describe("the page of a session", () => {
  let browser: Browser;
  let dashboard: OpenDashboard;
  beforeAll(async () => {
    browser = await launchChromium();
    dashboard = await openDashboard(browser, { hasPin: true });
  });
  afterAll(async () => {
    await dashboard[Symbol.asyncDispose]();
    await browser.close();
  });

  it("tells a coding agent's session as turns of calls, changes and answers", async () => {
    const { hub, page, visit } = dashboard;
    const old = "  const total = sum(items);\n  return total - coupon;";
    const fresh = "  const total = sum(items);\n  return Math.max(0, total - coupon);";
    const key = await tell(
      hub,
      [
        aep("shop", "session.start", 0),
        aep("shop", "prompt.submitted", 1, part("prompt", "Mend the cart", "markdown")),
        aep("shop", "model.thought", 2, part("thought", "The total may be *below zero*.", "markdown")),
        ...aepCall("shop", {
          id: "c1",
          tool: "Bash",
          input: { command: "npm test -- cart" },
          seconds: [3, 6],
          output: "1 failed\n2 passed",
          error: "The tests failed.",
        }),
        ...aepCall("shop", {
          id: "c2",
          tool: "Edit",
          input: { file_path: "/home/ana/shop/src/cart.ts", old_string: old, new_string: fresh },
          seconds: [7, 8],
        }),
        aep("shop", "model.response", 9, part("response", "**Done.** It is `Math.max` now.", "markdown")),
        aep("shop", "agent.stop", 10),
        aep("shop", "prompt.submitted", 20, part("prompt", "And now push it\n\nto the branch `fix`", "markdown")),
        ...aepCall("shop", { id: "c3", tool: "Bash", input: { command: "git push" }, seconds: [21, 22], output: "fix -> fix" }),
        aep("shop", "session.end", 23, { lifecycle: { reason: "completed" } }),
      ],
      "shop",
    );
    await visit(`session/${key}`);
    await page.getByRole("heading", { level: 1, name: "Claude Code in shop" }).waitFor();
    await page.getByRole("heading", { level: 2, name: "Turn 1: Mend the cart" }).waitFor();
    await page.getByRole("heading", { level: 2, name: "Turn 2: And now push it" }).waitFor();
    expect(await row(page, /^Bash npm test -- cart$/).innerText()).toMatch(/failed after 3 s[\s\S]*The tests failed\./);
    expect(await row(page, /^Edit/).innerText()).toMatch(/done in 1 s/);
    const change = row(page, /^Edit/).getByRole("figure");
    expect(await change.innerText()).toContain("return Math.max(0, total - coupon);");
    expect(await change.locator(".new").count()).toBe(1);
    expect(await row(page, "Response").locator("strong").innerText()).toBe("Done.");
    // A prompt is shown in full if its heading is shortened, and not repeated otherwise.
    expect(await row(page, "Prompt").first().innerText()).not.toContain("Mend the cart");
    expect(await row(page, "Prompt").last().innerText()).toContain("to the branch");
    // Details and raw JSON by keyboard alone.
    await page.keyboard.press("j");
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press("ArrowDown");
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain("npm test -- cart");
    await page.keyboard.press("Enter");
    await page.getByText("2 passed").waitFor();
    await page.keyboard.press("r");
    await page
      .getByRole("region", { name: /^Raw JSON of entry/ })
      .getByText('"action.requested"')
      .waitFor();
    await page.keyboard.press("r");
    expect(await page.getByRole("region", { name: /^Raw JSON of entry/ }).count()).toBe(0);
    // Single-key shortcuts stay off once disabled.
    await page.evaluate(() => localStorage.setItem("earshot-settings", JSON.stringify({ shortcuts: false })));
    await visit(`session/${key}`);
    await row(page, "Completed").evaluate((element) => element.focus());
    await page.keyboard.press("r");
    await page.keyboard.press("k");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("Completed");
    expect(await page.getByRole("region", { name: /^Raw JSON of entry/ }).count()).toBe(0);
    await page.evaluate(() => localStorage.removeItem("earshot-settings"));
    await visit(`session/${key}`);
    // The same data as charts and tables.
    await page.getByRole("button", { name: "States as a table" }).click();
    await page
      .getByRole("table", { name: "State of the agent" })
      .getByRole("row", { name: /Using a tool/ })
      .first()
      .waitFor();
    await page.getByRole("link", { name: "Tools over time" }).click();
    await page.getByRole("row", { name: /Edit.*done in/ }).waitFor();
    await page.getByRole("link", { name: "Cost and tokens" }).click();
    await page.getByRole("img", { name: /^Cost so far: from \$0\.01/ }).waitFor();
    await page.getByRole("button", { name: "Curves as a table" }).click();
    expect(
      await page
        .getByRole("table", { name: /^Spending/ })
        .getByRole("row")
        .last()
        .innerText(),
    ).toMatch(/\$0\.03\s+360/);
  });

  it("tells the sessions of the other protocols alike, with their states, outputs, subagents and alerts", async () => {
    const { hub, page, visit } = dashboard;
    const failing = Array.from({ length: 6 }, (_, turn) => [
      aop("lead", 4 + turn * 2, "operation.tool_start", {
        tool_name: "fetch_page",
        tool_call_id: `l${turn}`,
        input: { url: "https://a.example" },
      }),
      aop("lead", 5 + turn * 2, "operation.tool_end", {
        tool_name: "fetch_page",
        tool_call_id: `l${turn}`,
        success: false,
        result_summary: "403",
      }),
    ]).flat();
    await tell(
      hub,
      [aop("child", 1, "session.started", { goal: "Look up prices" }, { agent_id: "price-scout", parent_session_id: "lead" })],
      "child",
    );
    const lead = await tell(
      hub,
      [
        aop("lead", 1, "session.started", { goal: "Find a supplier" }),
        aop("lead", 2, "cognition.decision", { decision: "Send one agent", alternatives: ["Ask twice"], reasoning: "It is quicker." }),
        aop("lead", 3, "operation.agent_spawn", { child_session_id: "child", child_agent_id: "price-scout", goal: "Prices" }),
        ...failing,
        aop("lead", 16, "session.ended", { outcome: "failed", error_message: "No prices." }),
      ],
      "lead",
    );
    await visit(`session/${lead}`);
    await page.getByRole("heading", { name: "Turn 1: Find a supplier" }).waitFor();
    expect(await row(page, "Decision").innerText()).toMatch(/Send one agent[\s\S]*It is quicker\./);
    await expect.poll(() => row(page, /^fetch_page/).count()).toBe(6);
    await page
      .getByText(/^Alert, critical, /)
      .first()
      .waitFor();
    await page.getByRole("link", { name: "Subagents" }).last().click();
    await page.getByRole("link", { name: "Price scout" }).click();
    await page.getByRole("heading", { level: 1, name: "Price scout" }).waitFor();
    await page.getByText("Subagent of").getByRole("link", { name: "Paper buyer" }).waitFor();

    const desk = await tell(
      hub,
      [
        aaep("sess_desk", 0, "session.started", { request_text: "Send the invoices", summary_normal: "Sending invoices." }),
        aaep("sess_desk", 1, "state.changed", { from_state: "idle", to_state: "writing_output", summary_normal: "Summing up." }),
        aaep("sess_desk", 2, "output.streaming", {
          chunk: "Four are **ready**, ",
          position: 0,
          complete: false,
          output_id: "out_1",
          content_type: "text/markdown",
        }),
        aaep("sess_desk", 3, "output.streaming", {
          chunk: "one is late.",
          position: 20,
          complete: true,
          output_id: "out_1",
          content_type: "text/markdown",
        }),
        aaep("sess_desk", 4, "output.streaming", {
          chunk: '{"sent":3}',
          position: 0,
          complete: true,
          output_id: "out_2",
          content_type: "application/json",
        }),
        aaep("sess_desk", 5, "session.completed", { output_summary: "Three of four were sent.", summary_normal: "Done." }),
      ],
      "sess_desk",
    );
    await visit(`session/${desk}`);
    await page.getByRole("heading", { name: "Turn 1: Send the invoices" }).waitFor();
    await row(page, "State writing output: Summing up.").waitFor();
    expect(
      await row(page, /^Output/)
        .first()
        .innerText(),
    ).toContain("Four are ready, one is late.");
    expect(
      await row(page, /^Output/)
        .first()
        .locator("strong")
        .innerText(),
    ).toBe("ready");
    expect(
      await row(page, /^Output/)
        .last()
        .innerText(),
    ).toContain('"sent": 3');
    await row(page, "Completed").getByText("Three of four were sent.").waitFor();
  });

  it("shows a title and the tool of an event of an agent that nobody has heard of", async () => {
    const { hub, page, visit } = dashboard;
    const stranger = { agent: { slug: "zorblax" }, workspace: {} };
    const tool = { name: "frobnicate", type: "other" };
    const key = await tell(
      hub,
      [
        aep("zorb", "widget.polished", 0, { ...stranger, tool }),
        aep("zorb", "action.requested", 1, {
          ...stranger,
          tool: { ...tool, name: "defrobnicate" },
          action: { type: "tool_call", id: "z1" },
        }),
      ],
      "zorb",
    );
    await visit(`session/${key}`);
    await row(page, "Event widget.polished frobnicate").waitFor();
    await row(page, /^defrobnicate/).waitFor();
  });

  it("leads to one event by its link, finds words, and comes back to them", async () => {
    const { hub, page, visit } = dashboard;
    const thoughts = Array.from({ length: 60 }, (_, index) => aop("find", index + 2, "cognition.thought", { content: `Thought ${index}` }));
    const key = await tell(
      hub,
      [
        aop("find", 1, "session.started", { goal: "Find the walrus" }),
        ...thoughts,
        aop("find", 70, "operation.tool_start", { tool_name: "search", tool_call_id: "f1", input: { query: "sea" } }),
        aop("find", 71, "operation.tool_end", {
          tool_name: "search",
          tool_call_id: "f1",
          success: true,
          result_summary: "A walrus sleeps here.\nReally.",
        }),
        aop("find", 72, "session.ended", { outcome: "completed" }),
      ],
      "find",
    );
    const { items } = (await (await hub.get(`/api/sessions/${key}/story?limit=200`)).json()) as { items: { position: number }[] };
    const position = items[40]?.position ?? 0;
    await visit(`session/${key}?at=${position}`);
    const current = page.locator('[aria-current="true"][data-row]');
    await expect.poll(() => current.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await current.innerText()).toContain("Thought 39");
    await expect
      .poll(() =>
        current.evaluate((element) => element.getBoundingClientRect().top >= 0 && element.getBoundingClientRect().bottom <= innerHeight),
      )
      .toBe(true);
    // Searching an outcome's words leads to its call.
    await page.getByLabel("Find in this session").fill("walrus sleeps");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Found in 1 place" }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("find");
    await page.locator(".hits").getByRole("link").click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain("search");
    await page.goBack();
    await expect.poll(() => new URL(page.url()).searchParams.get("at")).toBe(String(position));
  });

  it("goes back in time by a slider, from item to item", async () => {
    const { hub, page, visit } = dashboard;
    const key = await tell(
      hub,
      [
        aep("past", "session.start", 0),
        aep("past", "prompt.submitted", 1, part("prompt", "Go")),
        ...aepCall("past", { id: "p1", tool: "Bash", input: { command: "sleep 4" }, seconds: [2, 6], output: "slept" }),
        aep("past", "model.response", 7, part("response", "I slept.")),
        aep("past", "session.end", 8),
      ],
      "past",
    );
    await visit(`session/${key}`);
    const slider = page.getByRole("slider", { name: "Replay up to" });
    await row(page, "Response").waitFor();
    await slider.focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => slider.getAttribute("aria-valuetext")).toMatch(/item 3 of 5: Bash sleep 4$/);
    await expect.poll(() => row(page, /^Bash/).innerText()).toContain("running");
    expect(await row(page, "Response").count()).toBe(0);
    await page.getByText("Replay: 2 items still to come.").waitFor();
    await page.keyboard.press("End");
    await expect.poll(() => row(page, /^Bash/).innerText()).toContain("done in 4 s");
    await row(page, "Response").waitFor();
  });

  it("grows at its end without moving what is read, and says who decided what and when", async () => {
    const { hub, page, visit } = dashboard;
    const headers = { ...producerOf(dashboard), "content-type": "application/json" };
    const speak = (...events: readonly object[]) =>
      fetch(`${hub.url}/v1/events`, { method: "POST", headers, body: JSON.stringify(events) }).then((response) =>
        expect(response.ok).toBe(true),
      );
    await speak(
      aep("live", "session.start", 0),
      aep("live", "prompt.submitted", 1, part("prompt", "Publish it")),
      ...Array.from({ length: 40 }, (_, index) => aep("live", "model.thought", 2 + index, part("thought", `Thought ${index}`))),
    );
    await visit(`session/${await keyOf(hub, "live")}`);
    await page.getByRole("link", { name: /^Grade/ }).waitFor(); // the last that is drawn above the timeline
    await row(page, "Thought").getByText("Thought 5", { exact: true }).scrollIntoViewIfNeeded();
    const top = () =>
      row(page, "Thought")
        .getByText("Thought 5", { exact: true })
        .evaluate((element) => element.getBoundingClientRect().top);
    const before = await top();
    await using asker = createAsker(hub);
    const request = await asker.hook("Bash", { command: "git push --force" }, { session: { id: "live" } });
    await row(page, /^Bash git push --force$/).waitFor();
    await page
      .getByRole("listitem")
      .filter({ hasText: "Waits for you:" })
      .getByRole("link", { name: /wants to run git push --force/ })
      .waitFor();
    expect(Math.abs((await top()) - before)).toBeLessThan(1);
    // Decided on another device.
    const pin = await callJson(hub.url, "/api/unlock", await provePinInTest(hub.url, PIN), hub.viewer());
    const approver = { authorization: `Bearer ${String(pin["ticket"])}` };
    const { digest } = (await (await fetch(`${hub.url}/api/requests/${request}`, { headers: approver })).json()) as {
      digest: string;
    };
    await callJson(hub.url, `/api/requests/${request}/answer`, { digest, answer: "deny", reason: "Not on Fridays" }, approver);
    await page.getByRole("button", { name: /^Denied by / }).waitFor();
    await page.getByText("Not on Fridays").first().waitFor();
    expect(Math.abs((await top()) - before)).toBeLessThan(1);
    // With following enabled, the page scrolls to new items.
    await page.getByLabel("Follow new events").check();
    await speak(...Array.from({ length: 5 }, (_, index) => aep("live", "model.thought", 60 + index, part("thought", `Later ${index}`))));
    await row(page, "Thought").getByText("Later 4").waitFor();
    await expect
      .poll(() => page.evaluate(() => Math.round(document.documentElement.scrollHeight - innerHeight - scrollY) < 200))
      .toBe(true);
  });

  it("is stopped and let go on by an approver, after a question", async () => {
    const { hub, page, visit } = dashboard;
    const key = await tell(hub, [aep("halt", "session.start", 0), aep("halt", "prompt.submitted", 1, part("prompt", "Go"))], "halt");
    await visit(`session/${key}`);
    await page.getByRole("button", { name: "Stop this session …" }).click();
    const dialog = page.getByRole("dialog", { name: "Stop Claude Code?" });
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    const stop = page.getByRole("button", { name: "Stop this session …" });
    await expect.poll(() => stop.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press("Enter");
    await dialog.getByLabel(/^Reason/).fill("It runs wild");
    await page.keyboard.press("Enter");
    await page
      .getByRole("note")
      .getByText(new RegExp(`by ${DEVICE} at .*: It runs wild`))
      .waitFor();
    await page.getByRole("button", { name: "Resume this session" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Stop this session …");
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export" }).click()]);
    expect(download.suggestedFilename()).toBe("halt.aep.jsonl");
    expect(dashboard.complaints).toEqual([]);
  });

  it("shows all twelve display styles, each in its way, and what cannot be shown so as text", async () => {
    const { hub, page, visit } = dashboard;
    const styled: readonly (readonly [style: string, text: string, shown: string, tag?: string])[] = [
      ["plain_text", "a *plain* text", "a *plain* text"],
      ["markdown", "some **bold** words", "some bold words", "strong"],
      ["indented_json", '{"a":[1]}', '"a": [\n    1\n  ]', "pre"],
      ["indented_json", "no json", "no json"],
      ["key_value", '{"path":"/tmp/x","url":"https://docs.example/a"}', "/tmp/x", "dl a[href='https://docs.example/a']"],
      ["path", "/home/ana/shop/cart.ts", "/home/ana/shop/cart.ts", "code.path"],
      ["url", "https://docs.example/x", "https://docs.example/x", "a[rel~=noreferrer]"],
      ["url", "javascript:alert(1)", "javascript:alert(1)"],
      ["image", PICTURE, "image/png", "img"],
      ["image", "https://evil.example/a.png", "not shown: it is elsewhere"],
      ["video", "data:video/webm;base64,AAAA", "video/webm", "video"],
      ["audio", "data:audio/wav;base64,AAAA", "audio/wav", "audio"],
      ["badge", "merged", "merged", ".status"],
      ["duration", "4800", "4.8 s"],
      ["duration", "soon", "soon"],
      ["timestamp", "1794751200", "", "time[datetime^='2026-11-15T']"],
      ["timestamp", "some day", "some day"],
      ["comic", "unknown style", "unknown style"],
    ];
    const key = await tell(
      hub,
      styled.map(([style, text], second) => aep("styles", "model.response", second, part("response", text, style))),
      "styles",
    );
    await visit(`session/${key}`);
    const answers = row(page, "Response");
    await answers.nth(styled.length - 1).waitFor();
    for (const [index, [style, , shown, tag]] of styled.entries()) {
      await expect.poll(() => answers.nth(index).innerText(), { message: style }).toContain(shown);
      const tagged = () => answers.nth(index).locator(`.piece ${tag}`).count();
      if (tag !== undefined) await expect.poll(tagged, { message: `${style}: ${tag}` }).toBe(1);
      else expect(await answers.nth(index).locator(".piece :is(a, img, video, audio)").count(), style).toBe(0);
    }
  });

  it("runs nothing, fetches nothing and hides nothing, whatever an agent says", async () => {
    const { hub, page, visit, complaints } = dashboard;
    const said = complaints.length;
    const elsewhere: string[] = [];
    const watch = (request: { url(): string }) => {
      if (!request.url().startsWith(hub.url) && !request.url().startsWith("data:")) elsewhere.push(request.url());
    };
    page.on("request", watch);
    let second = 0;
    const texts = HOSTILE.flatMap((text) => [
      aep("hostile", "model.response", ++second, part("response", text, "markdown")),
      aep("hostile", "model.thought", ++second, part("thought", text, "plain_text")),
      ...aepCall("hostile", {
        id: `h${++second}`,
        tool: text.slice(0, 200),
        input: { command: text, "<b>": text },
        seconds: [second, ++second],
        output: text,
        error: text,
      }),
      aep("hostile", text.startsWith("<") ? "x.<script>" : "x.odd", ++second, part("notification", text, "image")),
    ]);
    const key = await tell(
      hub,
      [
        aep("hostile", "prompt.submitted", 0, part("prompt", HOSTILE.join(" "), "markdown")),
        ...texts,
        aep("hostile", "prompt.submitted", ++second, {
          ...part("prompt", "Look at these"),
          attachments: [
            { type: "image", name: "good.png", mime_type: "image/png", data_uri: PICTURE },
            { type: "image", name: "<script>.svg", data_uri: "data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+" },
            { type: "image", name: "far.png", url: "https://evil.example/far.png" },
            { type: "file", name: "page.html", data_uri: "data:text/html,<script>window.pwned=1</script>" },
          ],
        }),
        aep("hostile", "session.end", ++second),
      ],
      "hostile",
    );
    await visit(`session/${key}`);
    await row(page, "Ended").waitFor();
    await page.getByRole("button", { name: "Show 4 attachments" }).click();
    await page.getByRole("img", { name: "good.png" }).waitFor();
    // Opens everything that can be opened.
    for (let passes = 0; passes < 6; passes++) {
      await page.evaluate(() => {
        const buttons = document.querySelectorAll<HTMLButtonElement>(".timeline button:not([aria-expanded=true])");
        for (const button of buttons) button.click();
      });
    }
    await page
      .getByRole("region", { name: /^Raw JSON/ })
      .last()
      .getByText("session.end")
      .waitFor();
    const found = await page.evaluate(() => ({
      pwned: "pwned" in window,
      odd: document.querySelectorAll("main :is(script, iframe, object, embed, link, style, meta, base, form:not([class], search form))")
        .length,
      handlers: [...document.querySelectorAll("main *")].filter((element) =>
        element.getAttributeNames().some((name) => name.startsWith("on")),
      ).length,
      links: [...document.querySelectorAll<HTMLAnchorElement>("main a")].map(({ protocol }) => protocol),
      pictures: [...document.querySelectorAll<HTMLImageElement>("main img")].map(({ src }) => src.slice(0, 15)),
      overflow: document.documentElement.scrollWidth - innerWidth,
    }));
    expect(found).toEqual({
      pwned: false,
      odd: 0,
      handlers: 0,
      links: expect.not.arrayContaining(["javascript:", "data:", "vbscript:", "file:"]),
      pictures: expect.arrayContaining(["data:image/png;"]),
      overflow: 0,
    });
    expect(found.pictures.every((src) => src === "data:image/png;")).toBe(true);
    expect(await page.getByText("⟨U+202E right-to-left override⟩").count()).toBeGreaterThan(0);
    expect(await page.getByText("⟨U+200B zero width space⟩").count()).toBeGreaterThan(0);
    expect([elsewhere, complaints.slice(said)]).toEqual([[], []]);
    page.off("request", watch);
  });

  it("opens a session of 100,000 events with as many questions and rows as one of 1,000, and scrolls through it", async () => {
    const { hub, page, visit } = dashboard;
    const keys = [await tellLong(hub, "thousand", 1000), await tellLong(hub, "hundred-thousand", 100_000)];
    await visit(`session/${keys[0]}`); // so that neither pays for what is loaded once
    await row(page, "Thought").first().waitFor();
    const opened: { readonly asked: readonly string[]; readonly rows: number; readonly ms: number }[] = [];
    for (const key of keys) {
      // Requests about the session; news and presence are polled all the time.
      const asked: string[] = [];
      const note = (request: { url(): string }) => request.url().includes("/api/sessions/") && asked.push(request.url());
      page.on("request", note);
      const began = performance.now();
      await visit(`session/${key}`);
      await row(page, "Thought").first().waitFor();
      const ms = performance.now() - began;
      await page.getByRole("link", { name: /^Grade/ }).waitFor();
      page.off("request", note);
      opened.push({ asked, rows: await page.locator("[data-row]").count(), ms });
    }
    const [small, large] = opened;
    process.stdout.write(`100,000 events against 1,000: ${((large?.ms ?? 0) / (small?.ms ?? 1)).toFixed(2)} × the time to open\n`);
    expect(large?.rows).toBe(small?.rows);
    expect(large?.rows).toBeLessThanOrEqual(200);
    expect(small?.asked.length).toBeGreaterThan(1);
    expect(Math.abs((large?.asked.length ?? 0) - (small?.asked.length ?? 0))).toBeLessThanOrEqual(3);
    // Jumping to the end takes only a few requests.
    await page.getByRole("button", { name: "Go to the end" }).click();
    await row(page, "Completed").waitFor();
    expect(await page.locator("[data-row]").count()).toBeLessThanOrEqual(200);
    await page.getByRole("button", { name: "Show earlier" }).click();
    await expect.poll(() => page.locator("[data-row]").count()).toBeGreaterThan(200);
    // One long list with only its visible part rendered.
    await page.evaluate(() => localStorage.setItem("earshot-settings", JSON.stringify({ timeline: "scroll" })));
    await visit(`session/${keys[1]}`);
    const feed = page.getByRole("feed", { name: "Timeline" });
    await feed.getByText("Thought 2", { exact: true }).waitFor();
    const scrollOn = async () => {
      await feed.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
      return Number(/Thought (\d+)/.exec(await feed.getByRole("article").last().innerText())?.[1]);
    };
    await expect.poll(scrollOn).toBeGreaterThan(1000);
    expect(await feed.getByRole("article").count()).toBeGreaterThan(5);
    expect(await feed.getByRole("article").count()).toBeLessThan(80);
    await page.evaluate(() => localStorage.removeItem("earshot-settings"));
  });
});

/** `Authorization` of an agent, whose events are then verified and may ask. */
function producerOf({ hub }: OpenDashboard): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${readFileSync(join(hub.home, "producer.token"), "utf8").trim()}` };
}
