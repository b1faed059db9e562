import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { subscribe } from "@earshot/sdk";
import { createAgent, tidy } from "./agent.ts";

/** Lets the agent serve itself, subscribes as assistive technology does, answers, and checks the received events. */
const EARSHOT = resolve(import.meta.dirname, "../../packages/cli/bin/earshot.cjs");
const folder = mkdtempSync(join(tmpdir(), "earshot-example-"));
await using agent = createAgent();
const { url = "" } = await agent.serve();
await using listener = subscribe(url, { supports_confirmation_reply: true, supported_conformance_levels: [1, 2, 3] });
await listener.opened;

try {
  const told = Promise.all([tidy(agent, "orders"), tidy(agent, "orders_old")]);
  const heard: string[] = [];
  let ended = 0;
  for await (const event of listener) {
    heard.push(JSON.stringify(event));
    const { type, action, summary_normal: summary } = event;
    if (typeof summary === "string") console.log(summary);
    // A real subscriber would ask a person here.
    if (typeof action === "string") await listener.reply(event, { decision: action.includes("orders_old") ? "accept" : "reject" });
    if (type === "aaep:agent.session.completed" && ++ended === 2) break;
  }
  deepStrictEqual(await told, ["orders stays.", "orders_old is gone."]);
  writeFileSync(join(folder, "run.jsonl"), heard.join("\n"));
  const { status } = spawnSync(process.execPath, [EARSHOT, "check", join(folder, "run.jsonl"), "--strict"], { stdio: "inherit" });
  strictEqual(status, 0, "what was heard conforms, without warnings");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
