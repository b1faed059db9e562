import { randomBytes } from "node:crypto";
import { AaepProducer, createManifest, LogFeed, type ProducerOffer } from "@earshot/aaep";
import { serveStdio } from "@earshot/aaep/node";
import { aaepSession } from "./events.ts";

/** A stdio producer that waits for a prompt, reports one session, and exits: `stdio-producer.ts EVENTS`. */
const feed = new LogFeed();
const offer: ProducerOffer = {
  producer: { agent_id: "deploy-bot" },
  versions: ["1.0.0"],
  levels: [1, 2, 3],
  boundaries: ["none", "word", "sentence", "paragraph", "completion"],
  extensions: [],
  takesConfirmations: true,
  takesClarifications: true,
};
const producer = new AaepProducer({
  feed,
  offer: () => offer,
  manifest: () => createManifest(offer, { transports: ["stdio-jsonrpc"], maxSubscriptions: 10, multiAgent: "shared-session" }),
  reply: () => {},
  other: () => ({}),
  allowsImplicit: false,
  maxSubscriptions: 10,
  monotonic: () => performance.now(),
  now: () => Date.now(),
  newId: (prefix) => `${prefix}_${randomBytes(16).toString("hex")}`,
  after: (ms, call) => {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
  onFailure: (error) => process.stderr.write(`${String(error)}\n`),
});
const principal = { id: "parent", name: "parent", mayRead: true, mayReply: true };
serveStdio({ producer, principal, input: process.stdin, output: process.stdout, onEnd: () => process.exit(0) });
const waiting = setInterval(() => {
  if (producer.size === 0) return;
  clearInterval(waiting);
  for (const text of aaepSession(Number(process.argv[2] ?? "10"))) feed.append(JSON.parse(text));
  setTimeout(() => process.stdout.write("", () => process.exit(0)), 500);
}, 20);
