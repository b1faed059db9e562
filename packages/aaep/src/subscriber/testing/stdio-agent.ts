import { randomBytes } from "node:crypto";
import { serveStdio } from "../../node/stdio-binding.ts";
import { LogFeed } from "../../producer/log-feed.ts";
import { createManifest } from "../../producer/manifest.ts";
import { AaepProducer } from "../../producer/producer.ts";
import type { ProducerOffer } from "../../producer/producer-ports.ts";

/**
 * A small stdio agent. Once a subscriber that answers listens, it reports this many steps, asks whether to continue, and stays, ends, or
 * fails: `stdio-agent.ts STEPS ask|none stay|end|fail`.
 */
const [steps = "3", asks = "ask", then = "stay"] = process.argv.slice(2);
const session = `sess_${randomBytes(4).toString("hex")}`;
const token = `rpl_${randomBytes(16).toString("hex")}`;
const feed = new LogFeed();
const id = (prefix: string) => `${prefix}_${randomBytes(16).toString("hex")}`;
const offer: ProducerOffer = {
  producer: { agent_id: "stdio-agent" },
  versions: ["1.0.0"],
  levels: [1, 2, 3],
  boundaries: ["none", "word", "sentence", "paragraph", "completion"],
  extensions: [],
  takesConfirmations: true,
  takesClarifications: true,
};

function say(local: string, more: object): void {
  feed.append({
    "@context": "https://aaep-protocol.org/context/v1",
    type: `aaep:agent.${local}`,
    event_id: id("evt"),
    session_id: session,
    timestamp: new Date().toISOString(),
    producer: { agent_id: "stdio-agent" },
    localization_hints: { primary_language: "en" },
    ...more,
  });
}

/** Ends when everything was sent and the pipe has accepted it. */
function finish(): void {
  if (then === "stay") return;
  if (producer.isSettled) process.stdout.write("", () => process.exit(then === "fail" ? 3 : 0));
  else setImmediate(finish);
}

let hasBegun = false;
function begin(): void {
  if (hasBegun) return;
  hasBegun = true;
  say("session.started", { summary_normal: "At work." });
  for (let step = 0; step < Number(steps); step++) say("progress.updated", { progress: { step: step + 1, total_steps: Number(steps) } });
  if (asks === "none") {
    say("session.completed", { summary_normal: "Done." });
    finish();
    return;
  }
  say("state.changed", { from_state: "idle", to_state: "awaiting_input" });
  say("awaiting.confirmation", {
    urgency: "critical",
    action: "Restart the web server.",
    consequence: "It is away for a moment.",
    reply_token: token,
    timeout_seconds: 120,
    default_decision: "reject",
    summary_normal: "Restart the web server?",
  });
}

const producer = new AaepProducer({
  feed,
  offer: () => offer,
  manifest: () => createManifest(offer, { transports: ["stdio-jsonrpc"], maxSubscriptions: 10, multiAgent: "shared-session" }),
  reply: (reply) => {
    if (reply.type !== "confirmation.reply" || reply.reply_token !== token) return;
    say("state.changed", { from_state: "awaiting_input", to_state: "thinking", summary_normal: `Heard: ${reply.decision}.` });
    say("session.completed", { summary_normal: `Decided by ${reply.decided_by ?? "nobody"}.` });
    finish();
  },
  other: (message) => {
    say("session.cancelled", { cancelled_by: "user", summary_normal: `Stopped: ${String(message["reason"])}.` });
    return {};
  },
  attended: ({ confirmations }) => {
    if (confirmations > 0) setImmediate(begin);
  },
  allowsImplicit: false,
  maxSubscriptions: 10,
  monotonic: () => performance.now(),
  now: () => Date.now(),
  newId: id,
  after: (ms, call) => {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
  onFailure: (error) => process.stderr.write(`${String(error)}\n`),
});
const principal = { id: "parent", name: "parent", mayRead: true, mayReply: true };
serveStdio({ producer, principal, input: process.stdin, output: process.stdout, onEnd: () => process.exit(0) });
process.stderr.write("The agent is ready.\n");
