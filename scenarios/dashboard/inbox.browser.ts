import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { earshotInTerminal, HAS_PTY } from "../../packages/cli/src/inbox/testing/pty.ts";
import { callJson, provePinInTest } from "../../packages/hub/src/access/testing/test-device.ts";
import { launchChromium } from "../../tools/chromium.ts";
import { createAsker } from "./asker.ts";
import { DEVICE, type OpenDashboard, openDashboard, PIN } from "./open-dashboard.ts";

const context = { locale: "en-GB", viewport: { width: 1100, height: 900 } };
const PUSH = "Claude Code in shop wants to run git push --force origin main";
const TEST = "Claude Code in shop wants to run npm test";

describe("the inbox", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
  });

  it("is read and answered by keyboard alone, and tells a screen reader what it tells the eye", async () => {
    await using dashboard = await openDashboard(browser, { context });
    await using asker = createAsker(dashboard.hub);
    const { page } = dashboard;
    const push = await asker.hook("Bash", { command: "git push --force origin main", description: "Publish the fix" });
    const test = await asker.hook("Bash", { command: "npm test" });
    await dashboard.visit(`inbox?request=${push}`);
    await focusIs(page, PUSH);
    await expect.poll(() => treeOf(cardOf(page, PUSH))).toBe(PUSH_TREE);
    const told = await hearRegions(page);

    // A click right after a button moved under the pointer has no effect.
    await pressAtOnce(page, "Deny: run git push --force origin main");
    await page.getByText("The button was pressed too soon").first().waitFor();
    expect(await stateOf(dashboard, push)).toBe("open");

    await page.keyboard.press("j");
    await focusIs(page, TEST);
    await page.keyboard.press("k");
    await focusIs(page, PUSH);
    await armed(cardOf(page, PUSH));
    await tabTo(page, "Deny, with a reason: run git push --force origin main");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("TEXTAREA");
    await page.keyboard.type("use a pull request");
    await page.keyboard.press("Escape");
    await focusIs(page, "Deny, with a reason");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("TEXTAREA");
    await page.keyboard.type("use a pull request");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await asker.heard(push)).toMatchObject({ response: { control: { behavior: "deny", message: "use a pull request" } } });
    await focusIs(page, TEST);
    await page.getByText(`Denied by ${DEVICE} at`).first().waitFor();
    expect(await cardOf(page, PUSH).getByRole("button").count()).toBe(0);

    await armed(cardOf(page, TEST));
    await tabTo(page, "Allow once: run npm test");
    await page.keyboard.press("Enter");
    expect(await asker.heard(test)).toMatchObject({ response: { control: { behavior: "allow" } } });
    await focusIs(page, "Inbox");
    // Screen readers announce a focusable heading as clickable, so only the focused one may be focusable.
    expect(await page.locator(":is(h1, h2, h3)[tabindex]").allTextContents()).toEqual(["Inbox"]);
    await page.getByRole("heading", { name: "No pending requests" }).waitFor();
    const own = [
      "The button was pressed too soon after it appeared, so nothing was decided. Press it again to confirm.",
      `Denied: run git push --force origin main, by ${DEVICE} at HH:MM. Reason: “use a pull request”`,
      `Allowed: run npm test, by ${DEVICE} at HH:MM.`,
    ];
    await expect.poll(async () => (await told()).map(withoutTimes).filter((words) => own.includes(words))).toEqual(own);
    expect(dashboard.complaints).toEqual([]);
  });

  it("puts every kind of question, and tells the asker what was answered", async () => {
    await using dashboard = await openDashboard(browser, { context });
    await using asker = createAsker(dashboard.hub);
    const { page } = dashboard;
    const choices = [
      { value: "s", label: "Staging" },
      { value: "p", label: "Production" },
    ];
    const asked = [
      ["Which branch?", { accepted_response_kinds: ["freetext"] }],
      ["Really?", { accepted_response_kinds: ["yes_no"] }],
      ["How many?", { accepted_response_kinds: ["numeric"] }],
      ["Where?", { accepted_response_kinds: ["multiple_choice", "freetext"], choices }],
    ] as const;
    const ids: string[] = [];
    for (const [question, more] of asked) ids.push(await asker.aaep("awaiting.clarification", { question, ...more }));
    const form = await asker.hook("AskUserQuestion", {
      questions: [
        { question: "Which database?", options: [{ label: "Staging", description: "of last night" }, { label: "Local" }] },
        { question: "What else?", multiSelect: true, options: [{ label: "Logs" }, { label: "Traces" }] },
      ],
    });
    const handoff = await asker.aaep("handoff.requested", {
      reason: "The bank wants a signature.",
      target_kind: "human",
      target_uri: "https://bank.example/sign",
      urgency_for_handoff: "high",
      packaged_context: { customer: "Birch Studio", steps: ["opened the portal"] },
    });
    await dashboard.visit("inbox");
    const desk = "Invoice desk in session sess_a\\d+";
    const at = (question: string) => page.getByRole("article", { name: new RegExp(`^${desk} asks: “${question.replace("?", "\\?")}”$`) });
    await armed(at("Which branch?"));

    await at("Which branch?").getByRole("button", { name: "Send the answer" }).click();
    await at("Which branch?").getByText("Enter an answer.").waitFor();
    await at("Which branch?").getByRole("textbox", { name: "Which branch?" }).fill("main");
    await decide(at("Which branch?"), "Send the answer: “Which branch?”");
    await at("Really?").getByRole("radio", { name: "No" }).check();
    await decide(at("Really?"), "Send the answer: “Really?”");
    await at("How many?").getByRole("textbox", { name: "How many?" }).fill("3");
    await decide(at("How many?"), "Send the answer: “How many?”");
    await at("Where?").getByRole("radio", { name: "Production" }).check();
    await decide(at("Where?"), "Send the answer: “Where?”");
    const fields = cardOf(page, "Claude Code in shop asks: “Which database?”, and 1 more question");
    await fields.getByRole("radio", { name: "Another answer, in your own words" }).check();
    await fields.getByRole("textbox", { name: "In your own words" }).fill("the one of Ana");
    await fields.getByRole("checkbox", { name: "Logs" }).check();
    await fields.getByRole("checkbox", { name: "Traces" }).check();
    await decide(fields, "Send the answers: “Which database?”, and 1 more question");
    const handover = "wants to hand over to human, in its own words: “The bank wants a signature.”";
    const over = page.getByRole("article", { name: new RegExp(`^${desk} ${handover}$`) });
    expect(await over.innerText()).toMatch(/https:\/\/bank\.example\/sign[\s\S]*Birch Studio[\s\S]*opened the portal/);
    expect(await over.locator("a[href*='bank']").count()).toBe(0);
    await decide(over, /^Take over: hand over to human/);

    const answers = [];
    for (const id of ids) answers.push(((await asker.heard(id))["answer"] as { readonly response: unknown }).response);
    expect(answers).toEqual(["main", false, 3, "p"]);
    expect(await asker.heard(form)).toMatchObject({
      response: { control: { updated_input: { answers: { "Which database?": "the one of Ana", "What else?": "Logs, Traces" } } } },
    });
    expect(await asker.heard(handoff)).toMatchObject({ answer: { word: "take-over" } });
    expect(dashboard.complaints).toEqual([]);
  });

  it("keeps a card that was decided elsewhere until it is left, without buttons, saying who and when", async () => {
    await using dashboard = await openDashboard(browser, { context, hasPin: true });
    await using asker = createAsker(dashboard.hub);
    const { page } = dashboard;
    const [test, push] = [
      await asker.hook("Bash", { command: "npm test" }),
      await asker.hook("Bash", { command: "git push --force origin main" }),
    ];
    await dashboard.visit("inbox");
    // The riskier one is open, although it was asked later.
    await cardOf(page, PUSH).waitFor();
    expect(await queueOf(page)).toEqual(["run git push --force origin main", "run npm test"]);
    await rowOf(page, "run npm test").click();
    const card = cardOf(page, TEST);
    await card.hover();
    await page.getByRole("button", { name: "Deny: run npm test" }).focus();
    await denyInTerminal(dashboard, test, "not now");
    await card.getByText(/^Denied by .+ at \d\d:\d\d\. Reason: “not now”$/).waitFor();
    expect(await card.getByRole("button").count()).toBe(0);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Denied by/);
    // Ended requests leave the queue at once; the open card stays in place while it is read.
    const before = await card.boundingBox();
    await decideElsewhere(dashboard, push, "deny");
    await expect.poll(() => queueOf(page)).toEqual(["run npm test"]);
    expect(await card.boundingBox()).toEqual(before);
    await page.mouse.move(2, 2);
    expect(await card.count()).toBe(1); // the focus is still there
    await page.keyboard.press("Shift+Tab");
    await page.getByRole("link", { name: "Inbox" }).focus();
    await expect.poll(() => card.count()).toBe(0);
    const recent = page.getByRole("region", { name: "Recent decisions" });
    await recent.getByRole("heading", { name: TEST }).waitFor();
    // A link to an ended request shows its result.
    await dashboard.visit(`inbox?request=${test}`);
    await card.getByText(/^Denied by/).waitFor();
    expect(dashboard.complaints).toEqual([]);
  });

  it("lets a kind be allowed by a rule that is shown first and taken back later, an input be edited, and the same be decided at once", async () => {
    await using dashboard = await openDashboard(browser, { context });
    await using asker = createAsker(dashboard.hub);
    const { page } = dashboard;
    const test = await asker.hook("Bash", { command: "npm test" });
    await dashboard.visit("inbox");
    const card = cardOf(page, TEST);
    await armed(card);
    await card.getByRole("button", { name: "More time: run npm test" }).click();
    await card.getByText(/^There is time until .*\d\d:\d\d now\.$/).waitFor();
    await card.getByRole("button", { name: "Allow for longer: run npm test" }).click();
    await card.getByRole("radio", { name: "In this project, today" }).check();
    await card.getByText("It counts in this project, until the end of the day.").waitFor();
    expect(await card.locator(".rule-offer pre").last().innerText()).toContain("npm test");
    await decide(card, "Allow, and keep this rule: run npm test");
    expect(await asker.heard(test)).toMatchObject({ response: { control: { behavior: "allow" } } });
    await page.mouse.move(2, 2);
    const recent = page.getByRole("region", { name: "Recent decisions" });
    await recent.getByRole("button", { name: /^Remove the rule: / }).click();
    await recent.getByText("The rule is removed: requests of this kind will be asked again.").waitFor();
    await expect.poll(() => recent.getByRole("button").count()).toBe(0);
    // Where cards are above the list, none is inserted while the list has the focus; the new request is announced.
    await page.setViewportSize({ width: 700, height: 900 });
    await recent.getByRole("link", { name: TEST }).focus();

    const edited = await asker.hook("Bash", { command: "npm run build", timeout: 5 });
    const build = cardOf(page, "Claude Code in shop wants to run npm run build");
    await page.getByText("One more request waits for you.").waitFor();
    expect(await build.count()).toBe(0);
    await page.getByRole("button", { name: "Show it" }).click();
    await focusIs(page, "Claude Code in shop wants to run npm run build");
    await page.setViewportSize(context.viewport);
    await build.getByRole("button", { name: /^Edit first/ }).click();
    await build.getByRole("textbox", { name: "command" }).fill("npm run build -- --watch=false && rm -rf ~");
    await build.getByText("With your changes.").waitFor();
    expect(await build.locator(".as-changed").innerText()).toContain("Cannot be undone.");
    await build.getByRole("textbox", { name: "command" }).fill("npm run build:fast");
    await build.getByRole("textbox", { name: "timeout" }).fill("9");
    await decide(build, "Allow once, with these changes: run npm run build");
    expect(await asker.heard(edited)).toMatchObject({
      response: { control: { behavior: "allow", updated_input: { command: "npm run build:fast", timeout: 9 } } },
    });

    await page.mouse.move(2, 2);
    const same = [await asker.hook("Bash", { command: "npm test" }), await asker.hook("Bash", { command: "npm test" })];
    await asker.hook("Bash", { command: "git push --force origin main" });
    await asker.hook("Bash", { command: "git push --force origin main" });
    const push = "run git push --force origin main";
    await expect.poll(() => queueOf(page)).toEqual([push, push, "run npm test × 2"]);
    await rowOf(page, "run npm test").click();
    expect(await card.getByRole("list", { name: "2 requests that are the same" }).getByRole("listitem").count()).toBe(2);
    await decide(card, "Allow all 2 once: run npm test");
    for (const id of same) expect(await asker.heard(id)).toMatchObject({ response: { control: { behavior: "allow" } } });
    await focusIs(page, PUSH);
    expect(dashboard.complaints).toEqual([]);
  });

  it("shows what an agent says as text, with what it hides, and runs and fetches none of it", async () => {
    await using dashboard = await openDashboard(browser, { context });
    await using asker = createAsker(dashboard.hub);
    const { page, hub } = dashboard;
    const strange: string[] = [];
    page.on("dialog", (dialog) => strange.push(dialog.message()));
    page.on("request", (request) => new URL(request.url()).origin === hub.url || strange.push(request.url()));
    const evil = '<img src=https://evil.example/x onerror="alert(1)"><script>alert(2)</script>[a](javascript:alert(3))';
    await asker.hook(
      "Bash",
      { command: `echo '${evil}' \u202egnp.exe\u200b`, description: evil, [evil]: evil },
      { agent: { slug: "evil" }, workspace: { cwd: `/w/${evil.slice(0, 20)}` } },
    );
    await asker.hook("AskUserQuestion", { questions: [{ question: evil, options: [{ label: evil, description: "\u202emoc.live" }] }] });
    await asker.aaep("handoff.requested", {
      reason: evil,
      target_kind: "human",
      target_uri: "javascript:alert(4)",
      urgency_for_handoff: "low",
      packaged_context: { [evil]: evil },
    });
    await dashboard.visit("inbox");
    await expect.poll(async () => (await queueOf(page)).length).toBe(3);
    let text = "";
    for (const row of await page.getByRole("navigation", { name: "Requests" }).getByRole("link").all()) {
      await row.click();
      await page.locator("article details").evaluateAll((all: HTMLDetailsElement[]) => {
        for (const one of all) one.open = true;
      });
      text += await page.locator("main").innerText();
      expect(await page.locator("main").locator("img, script, iframe, a[href^='javascript'], a[href*='evil']").count()).toBe(0);
    }
    expect(text).toContain("<script>alert(2)</script>");
    expect(text).toContain("⟨U+202E right-to-left override⟩gnp.exe⟨U+200B zero width space⟩");
    expect(text).not.toMatch(/[\u202a-\u202e\u200b]/);
    expect(strange).toEqual([]);
    expect(dashboard.complaints).toEqual([]);
  });

  it("offers no yes before all of a long input is shown", async () => {
    await using dashboard = await openDashboard(browser, { context });
    await using asker = createAsker(dashboard.hub);
    const { page } = dashboard;
    const request = await asker.hook("Bash", { command: `npm test\n${"echo a line that nobody reads\n".repeat(1000)}npm run last` });
    await dashboard.visit(`inbox?request=${request}`);
    const card = page.getByRole("article");
    const allow = card.getByRole("button", { name: /^(?:Allow|Edit)/ });
    await card.getByText("so it cannot be allowed here").waitFor();
    await card.getByRole("button", { name: /^Deny:/ }).waitFor();
    expect(await allow.count()).toBe(0);
    expect(await card.innerText()).not.toContain("npm run last");
    await card.getByRole("button", { name: "Show all of it" }).press("Enter");
    await allow.first().waitFor();
    expect(await card.innerText()).toContain("npm run last");
    await card.getByRole("button", { name: "Show less" }).press("Enter");
    await card.getByText("so it cannot be allowed here").waitFor();
    expect(await allow.count()).toBe(0);
    expect(dashboard.complaints).toEqual([]);
  });

  it("has no buttons for who may only look, and says why; and a card that comes while one clicks is not clicked", async () => {
    await using dashboard = await openDashboard(browser, { context, hasPin: true });
    await using asker = createAsker(dashboard.hub);
    await using viewer = await openViewer(browser, dashboard);
    const { page } = dashboard;
    await dashboard.visit("inbox");
    await page.getByRole("heading", { name: "No pending requests" }).waitFor();
    // Clicks the button at the moment it is drawn.
    await page.evaluate(() => {
      const press = new MutationObserver(() => {
        const button = document.querySelector<HTMLElement>('[aria-label="Allow once: run npm test"]');
        if (button === null) return;
        press.disconnect();
        button.click();
      });
      press.observe(document.body, { childList: true, subtree: true });
    });
    const test = await asker.hook("Bash", { command: "npm test" });
    await cardOf(page, TEST).getByText("The button was pressed too soon").waitFor();
    expect(await stateOf(dashboard, test)).toBe("open");

    const seen = cardOf(viewer.page, TEST);
    await seen.getByText("This browser is a viewer and cannot decide requests").waitFor();
    expect(await seen.getByRole("button").count()).toBe(0);
    await decide(cardOf(page, TEST), "Allow once: run npm test");
    expect(await asker.heard(test)).toMatchObject({ response: { control: { behavior: "allow" } } });
    await viewer.page.getByRole("region", { name: "Recent decisions" }).getByText(`Allowed by ${DEVICE} at`).waitFor();
    expect(dashboard.complaints).toEqual([]);
  });
});

const PUSH_TREE = `- article "${PUSH}":
  - heading "${PUSH}" [level=2]
  - paragraph:
    - text: High risk, asked
    - time: HH:MM
    - text: by the agent itself,
    - 'link "In its session: run git push --force origin main"':
      - /url: /ui/session/2?at=2
      - text: In its session
    - text: AEP, from producer
  - paragraph:
    - strong: Cannot be undone.
    - text: Replaces history that others may have.
  - paragraph: "Without an answer by HH:MM, the agent asks at its own prompt. Claude Code also shows its own dialog: the first answer decides."
  - heading "The command" [level=3]
  - code: git push --force origin main
  - paragraph:
    - text: Sends commits to the remote.
    - strong: Replaces history that others may have.
  - heading "In the words of Claude Code, unchecked" [level=3]
  - blockquote:
    - paragraph: "Purpose: Publish the fix"
  - group: The whole input, as it was sent
  - group: Further details
  - 'button "Allow once: run git push --force origin main"': Allow once
  - 'button "Deny: run git push --force origin main"': Deny
  - timer: TIME left
  - 'button "Deny, with a reason: run git push --force origin main"': Deny, with a reason
  - 'button "Edit first: run git push --force origin main"': Edit first
  - 'button "More time: run git push --force origin main"': More time
  - 'button "Stop this session …: run git push --force origin main"': Stop this session …
  - paragraph`;

function cardOf(page: Page, name: string): Locator {
  return page.getByRole("article", { name, exact: true });
}

/** The line of a request in the queue. */
function rowOf(page: Page, what: string): Locator {
  return page.getByRole("navigation", { name: "Requests" }).getByRole("link").filter({ hasText: what });
}

/** The texts of the queue's lines, without agent, risk and time. */
async function queueOf(page: Page): Promise<readonly string[]> {
  const texts = await page.getByRole("navigation", { name: "Requests" }).locator(".queue-what").allInnerTexts();
  return texts.map((text) => text.replaceAll(/\s+/g, " ").trim());
}

async function focusIs(page: Page, text: string): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent ?? "")).toBe(text);
}

/** The accessibility tree. */
async function treeOf(part: Locator): Promise<string> {
  return withoutTimes(await part.ariaSnapshot());
}

/** Includes the date when the test runs at midnight. */
function withoutTimes(text: string): string {
  return text.replaceAll(/(?:\d{1,2} [A-Z][a-z]+, )?\d\d:\d\d/g, "HH:MM").replaceAll(/timer: .* left/g, "timer: TIME left");
}

/** Collects announcements from now on. */
async function hearRegions(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(globalThis, { heard });
    for (const id of ["polite", "assertive"]) {
      const region = document.getElementById(id);
      if (region !== null) new MutationObserver(() => heard.push(region.textContent.trim())).observe(region, { childList: true });
    }
  });
  return () => page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard);
}

/** Focuses and clicks a button before anyone could have read it. */
async function pressAtOnce(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name }).evaluate((button: HTMLElement) => {
    (document.activeElement as HTMLElement | null)?.blur();
    button.focus();
    button.click();
  });
}

async function armed(card: Locator): Promise<void> {
  await card.locator('.card-actions[data-arming="false"]').waitFor();
}

/** Clicks when the button is enabled, and waits for the effect. */
async function decide(card: Locator, name: string | RegExp): Promise<void> {
  await armed(card);
  await card.getByRole("button", typeof name === "string" ? { name, exact: true } : { name }).click();
  await card.locator(".card-actions").waitFor({ state: "detached" });
}

/** Another device of the same person; its words are recorded. */
async function decideElsewhere({ hub }: OpenDashboard, id: string, answer: string, reason?: string): Promise<void> {
  const { ticket } = await callJson(hub.url, "/api/unlock", await provePinInTest(hub.url, PIN), hub.viewer());
  const { digest } = await callJson(hub.url, `/api/requests/${id}`, undefined, hub.viewer());
  const body = { digest, answer, ...(reason === undefined ? {} : { reason }) };
  await callJson(hub.url, `/api/requests/${id}/answer`, body, { authorization: `Bearer ${String(ticket)}` });
}

/** Through `earshot deny` if a terminal is available. */
async function denyInTerminal(dashboard: OpenDashboard, id: string, reason: string): Promise<void> {
  if (!HAS_PTY) return decideElsewhere(dashboard, id, "deny", reason);
  await using terminal = earshotInTerminal(["deny", id, "--reason", reason], { home: dashboard.hub.home });
  await terminal.waitFor(/: $/);
  terminal.type(`${PIN}\r`);
  expect(await terminal.ended).toBe(0);
}

/** A second browser with the viewer role. */
async function openViewer(browser: Browser, { hub }: OpenDashboard): Promise<{ readonly page: Page } & AsyncDisposable> {
  const other: BrowserContext = await browser.newContext(context);
  const page = await other.newPage();
  await page.goto(String((await callJson(hub.url, "/api/pairings", { role: "viewer" }, hub.viewer()))["link"]));
  await page.getByRole("button", { name: "Ask to be admitted" }).click();
  await page.getByLabel("Or the PIN, here").fill(PIN);
  await page.getByRole("button", { name: "Admit with the PIN" }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  await page.goto(`${hub.url}/ui/inbox`);
  return { page, [Symbol.asyncDispose]: () => other.close() };
}

async function tabTo(page: Page, name: string): Promise<void> {
  for (let steps = 0; steps < 60; steps++) {
    const focused = await page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
    if (focused === name) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`The key Tab does not lead to ${name}.`);
}

async function stateOf({ hub }: OpenDashboard, id: string): Promise<unknown> {
  return (await callJson(hub.url, `/api/requests/${id}`, undefined, hub.viewer()))["state"];
}
