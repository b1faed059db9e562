import type { DemoStage } from "./stage.ts";

const FOLDER = "/home/ana/shop";
const BEFORE = "  const total = items.reduce((sum, item) => sum + item.price, 0);\n  return total - coupon.value;";
const AFTER =
  "  const total = items.reduce((sum, item) => sum + item.price * item.quantity, 0);\n  return Math.max(0, total - coupon.value);";

/** A coding agent in AEP: fixes a bug, then wants to do something irreversible. */
export async function playCodingAgent(stage: DemoStage): Promise<void> {
  const session = `demo-shop-${stage.run}`;
  let count = 0;
  const event = (type: string, more: object) => ({
    aep_version: "0.1",
    id: `evt_${stage.run}_${++count}`,
    type,
    time: stage.now(),
    agent: { slug: "claude", display_name: "Claude Code" },
    session: { id: session },
    workspace: { cwd: FOLDER },
    model: { id: "claude-sonnet-4-6", provider: "anthropic" },
    ...more,
  });
  const use = async (name: string, input: object, seconds: number, end: { readonly output: unknown; readonly failed?: boolean }) => {
    const action = { type: "tool_call", id: `toolu_${++count}`, input };
    const tool = { name, type: "native" };
    await stage.send(event("action.requested", { action, tool }));
    await stage.pause(seconds);
    const status = end.failed === true ? "failure" : "success";
    const done = end.failed === true ? "action.failed" : "action.completed";
    const error = end.failed === true ? { error: { code: "exit_1", message: "The tests failed." } } : {};
    const metrics = { duration_ms: Math.round(seconds * 1000) };
    await stage.send(event(done, { action: { ...action, output: end.output, status, ...error }, tool, metrics }));
  };
  const answer = (text: string) => stage.send(event("model.response", { content: [{ type: "response", text, style: "markdown" }] }));

  await stage.send(event("session.start", { lifecycle: { source: "startup" } }));
  await stage.send(
    event("prompt.submitted", {
      content: [{ type: "prompt", text: "The cart total is wrong when a coupon is used. Find out why, and fix it.", style: "markdown" }],
    }),
  );
  stage.print("Claude Code, in shop, looks for a bug in the cart.");
  await stage.pause(1.5);
  await use("Read", { file_path: `${FOLDER}/src/cart.ts` }, 1, { output: { lines: 48 } });
  await use("Bash", { command: "npm test -- cart", description: "Run the tests of the cart" }, 3, {
    output: "2 failed, 11 passed\n  ✗ a coupon is taken off the whole cart\n  ✗ a cart is never below zero",
    failed: true,
  });
  await stage.pause(1);
  await use("Edit", { file_path: `${FOLDER}/src/cart.ts`, old_string: BEFORE, new_string: AFTER }, 1, { output: { replaced: 1 } });
  await use("Bash", { command: "npm test -- cart", description: "Run the tests of the cart" }, 3, { output: "13 passed" });
  await stage.pause(1);
  const action = {
    type: "tool_call",
    id: `toolu_${++count}`,
    input: { command: "git push --force origin main", description: "Publish the fix" },
  };
  const tool = { name: "Bash", type: "native" };
  stage.print("Claude Code wants to run git push --force origin main, and waits for you.");
  const said = await stage.ask(event("action.requested", { action, tool }));
  if (said === "allowed") {
    stage.print("You allowed it.");
    await stage.pause(1.5);
    const pushed = { ...action, output: "main -> main (forced update)", status: "success" };
    await stage.send(event("action.completed", { action: pushed, tool, metrics: { duration_ms: 1500 } }));
    await answer("The total counts quantities now, and is **never below zero**. All 13 tests pass, and the fix is published.");
  } else {
    stage.print(said === "denied" ? "You denied it: the push did not run." : "No answer: the push did not run.");
    await stage.pause(1);
    await answer(
      "The total counts quantities now, and is **never below zero**. All 13 tests pass. I have *not* pushed: the fix is on the branch `fix/coupon`.",
    );
  }
  const metrics = { input_tokens: 18_420, output_tokens: 2_310, cost_usd: 0.087, duration_ms: 24_000 };
  await stage.send(event("session.end", { lifecycle: { reason: "completed" }, metrics }));
}
