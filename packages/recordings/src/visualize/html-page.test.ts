import { ruleOf } from "@earshot/protocol";
import { describe, expect, it } from "vitest";
import { renderTracePage } from "./html-page.ts";
import { aaepSession, gardenDay, traceOf } from "./testing/recording.ts";

const CONTEXT = { version: "1.2.3", ruleOf };

describe("the page", () => {
  it("has no script, loads nothing, and would be forbidden to", async () => {
    const html = renderTracePage(await traceOf(gardenDay()), CONTEXT);
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    expect(html).not.toMatch(/<script|<link|<img|<iframe|url\((?!#)|href="(?!#)/);
  });

  it("links every mark to what the page says about its rule", async () => {
    const say = aaepSession();
    const trace = await traceOf([
      say("session.started"),
      say("tool.completed", { tool: "dig", tool_call_id: "call_1", status: "success" }),
    ]);
    const html = renderTracePage(trace, CONTEXT);
    expect(trace.violations.length).toBeGreaterThan(1);
    for (const { rule, number } of trace.violations) {
      const anchor = `about-${rule.replace("/", "-")}`;
      const row = new RegExp(`<tr role="row" id="rule-${number}">[\\s\\S]*?</tr>`).exec(html)?.[0] ?? "";
      expect(row).toContain(`href="#${anchor}"`);
      expect(html).toContain(`<h3 id="${anchor}">`);
    }
    for (const [, target] of html.matchAll(/href="#([^"]*)"/g)) expect(html).toContain(`id="${target}"`);
  });

  it("tells in words and in a table what the picture shows", async () => {
    const html = renderTracePage(await traceOf(gardenDay()), CONTEXT);
    expect(html).toContain("<li>3 tool calls, up to 2 at once, 1 failed.</li>");
    expect(html).toContain("10 bars of the picture as a table");
    expect(html).toMatch(/<td role="cell" data-label="What"><span class="quote" dir="auto">measure<\/span><\/td>[\s\S]{0,200}failed/);
    expect(html).toMatch(/<svg[^>]*role="img" aria-labelledby="trace-title"/);
    expect(html).toContain('href="#words"');
  });
});
