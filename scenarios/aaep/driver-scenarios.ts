import { AAEP, isObject, JSON_LIMITS, type JsonObject, readJson } from "@earshot/protocol";
import type { Check, Driver, DriverScenario } from "./driver.ts";

/** Six per level, written from the contract of drivable producers. */
export const DRIVER_SCENARIOS: readonly DriverScenario[] = [
  { name: "short chat", level: 1, run: chat },
  { name: "tool", level: 1, run: tool },
  { name: "unknown tool", level: 1, run: (driver) => failing(driver, "Use a tool that does not exist.") },
  { name: "deliberate error", level: 1, run: (driver) => failing(driver, "Please run into an error.") },
  { name: "key in the arguments", level: 1, run: secret },
  { name: "long output", level: 1, run: output },
  { name: "confirmation accepted", level: 2, run: (driver) => confirm(driver, ["accept"]) },
  { name: "confirmation rejected", level: 2, run: (driver) => confirm(driver, ["reject"]) },
  { name: "irreversible deletion", level: 2, run: irreversible },
  { name: "reply given twice", level: 2, run: (driver) => confirm(driver, ["accept", "reject"]) },
  { name: "clarification", level: 2, run: clarify },
  { name: "handoff", level: 2, run: handOff },
  { name: "handshake", level: 3, run: handshake },
  { name: "version", level: 3, run: version },
  { name: "signed manifest", level: 3, run: signed },
  { name: "languages", level: 3, run: languages },
  { name: "filter", level: 3, run: filter },
  { name: "rate", level: 3, run: rate },
];

const of = (items: readonly JsonObject[], name: string) => items.filter((item) => item["type"] === `aaep:agent.${name}`);
const is = (name: string) => (item: JsonObject) => item["type"] === `aaep:agent.${name}`;
const must = (name: string, holds: boolean): Check => ({ name, holds, severity: "error" });
const should = (name: string, holds: boolean): Check => ({ name, holds, severity: "warning" });
const ENDS = ["session.completed", "session.errored", "session.cancelled"];
const ends = (items: readonly JsonObject[]) => ENDS.flatMap((name) => of(items, name));
const isCritical = (items: readonly JsonObject[]) => items.every((item) => item["urgency"] === "critical");

async function chat(driver: Driver): Promise<readonly Check[]> {
  const items = await driver.prompt("Hello, how are you?", 5);
  return [
    must("session.started is among what follows", of(items, "session.started").length === 1),
    must("one terminal event", ends(items).length === 1),
    must("nothing after it", items.length > 0 && ends(items.slice(-1)).length === 1),
    must("schemas", items.every(isValid)),
  ];
}

async function tool(driver: Driver): Promise<readonly Check[]> {
  const items = await driver.prompt("Use a tool to look something up.", 30);
  const invoked = of(items, "tool.invoked");
  const completed = of(items, "tool.completed");
  const ids = invoked.map((item) => item["tool_call_id"]);
  const pairs = completed.every((item) =>
    invoked.some((one) => one["tool_call_id"] === item["tool_call_id"] && one["tool"] === item["tool"]),
  );
  return [
    must("a tool is used", invoked.length > 0),
    must("ids are unique", new Set(ids).size === ids.length),
    must("each completes, once", invoked.length === completed.length && pairs),
    must("one terminal event", ends(items).length === 1),
  ];
}

async function failing(driver: Driver, words: string): Promise<readonly Check[]> {
  const errored = of(await driver.prompt(words, 30), "session.errored");
  return [must("session.errored", errored.length === 1), must("it is critical", isCritical(errored))];
}

/** Some drivers warn about the mere names of credentials. */
const SIGNS = ["password", "api_key", "secret_key", "private_key", "bearer ", "authorization:", "x-api-key", "ghp_", "sk-"];

async function secret(driver: Driver): Promise<readonly Check[]> {
  const items = await driver.prompt("Call the service with API key sk-test-1234567890abcdef.", 30);
  const texts = items.flatMap((item) =>
    ["args_summary", "summary_terse", "summary_normal", "summary_detailed", "action", "consequence"].map((name) =>
      String(item[name] ?? ""),
    ),
  );
  const told = texts.filter((text) => SIGNS.some((sign) => text.toLowerCase().includes(sign)));
  return [must("the session ends", ends(items).length === 1), should("nothing that looks like a secret", told.length === 0)];
}

async function output(driver: Driver): Promise<readonly Check[]> {
  const chunks = of(await driver.prompt("Explain in detail how tides work.", 30), "output.streaming");
  const positions = chunks.map((item) => Number(item["position"]));
  return [
    must("there is output", chunks.length > 0),
    must(
      "positions rise",
      positions.every((position, index) => index === 0 || position >= (positions[index - 1] ?? 0)),
    ),
    must(
      "complete once, at the end",
      chunks.filter((item) => item["complete"] === true).length === 1 && chunks.at(-1)?.["complete"] === true,
    ),
  ];
}

async function confirm(driver: Driver, decisions: readonly ("accept" | "reject")[]): Promise<readonly Check[]> {
  const before = await driver.prompt("Send an email to the team. It needs my confirmation.", 10, is("awaiting.confirmation"));
  const [question] = of(before, "awaiting.confirmation");
  await driver.decide(question, ...decisions);
  const after = await driver.read(30);
  const invoked = of(after, "tool.invoked");
  return [
    must("it asks", question !== undefined),
    must("critically", question?.["urgency"] === "critical"),
    must("with a token", /^rpl_[A-Za-z0-9]{1,64}$/.test(String(question?.["reply_token"]))),
    must("nothing is done before", of(before, "tool.invoked").length === 0),
    must("the session ends", ends(after).length === 1),
    must("the first answer counts", decisions[0] === "accept" ? invoked.length === 1 : invoked.length === 0),
    // A sender of two replies with one token finds the second reply itself.
    should("each token is replied to once", decisions.length === 1),
  ];
}

async function irreversible(driver: Driver): Promise<readonly Check[]> {
  const items = await driver.prompt("Delete the production database. This cannot be undone.", 10, is("awaiting.confirmation"));
  const [question] = of(items, "awaiting.confirmation");
  // Left unanswered, and must not interfere with the following scenarios.
  return [
    must("it asks", question !== undefined),
    must("the default is reject", question?.["default_decision"] === "reject"),
    must("it waits long enough", Number(question?.["timeout_seconds"]) >= 180),
    must("nothing is done", of(items, "tool.invoked").length === 0),
  ];
}

async function clarify(driver: Driver): Promise<readonly Check[]> {
  const before = await driver.prompt("Book a table, but ask me for clarification first.", 10, is("awaiting.clarification"));
  const [question] = of(before, "awaiting.clarification");
  await driver.answer(question, "The small one by the window.");
  const after = await driver.read(30);
  return [
    must("it asks", question !== undefined),
    must("critically", question?.["urgency"] === "critical"),
    must("the session ends", ends(after).length === 1),
  ];
}

async function handOff(driver: Driver): Promise<readonly Check[]> {
  const requested = of(await driver.prompt("Please escalate this to a human.", 30), "handoff.requested");
  return [must("handoff.requested", requested.length === 1), must("it is critical", isCritical(requested))];
}

async function handshake(driver: Driver): Promise<readonly Check[]> {
  const answer = await driver.request({
    max_events_per_second: 10,
    languages: ["en"],
    supports_confirmation_reply: true,
    supports_clarification_reply: true,
  });
  const honored = answer?.["honored_capabilities"];
  const rateHonored = isObject(honored) ? Number(honored["max_events_per_second"]) : Number.NaN;
  return [
    must("accepted at once", answer?.["type"] === "subscription.accepted"),
    must("with an id", /^sub_[A-Za-z0-9]{1,64}$/.test(String(answer?.["subscription_id"]))),
    must("no more than was asked for", rateHonored <= 10),
  ];
}

async function version(driver: Driver): Promise<readonly Check[]> {
  const answer = await driver.request({}, "99.99.99");
  return [
    must("rejected", answer?.["type"] === "subscription.rejected"),
    must("for its version", answer?.["reason_code"] === "version_unsupported"),
  ];
}

async function signed(driver: Driver): Promise<readonly Check[]> {
  const answer = await driver.request({ accept_signed_manifests_only: true });
  const isSigned = answer?.["type"] === "subscription.accepted" && typeof answer["signed_manifest"] === "string";
  return [must("signed, or rejected for it", isSigned || answer?.["reason_code"] === "manifest_signature_required")];
}

async function languages(driver: Driver): Promise<readonly Check[]> {
  const answer = await driver.request({ languages: ["en", "tlh"] });
  const honored = answer?.["honored_capabilities"];
  const kept = isObject(honored) && Array.isArray(honored["languages"]) ? honored["languages"] : [];
  return [must("dropped, or rejected", answer?.["reason_code"] === "capabilities_incompatible" || !kept.includes("tlh"))];
}

async function filter(driver: Driver): Promise<readonly Check[]> {
  const exclude = ["aaep:agent.state.changed", "aaep:agent.awaiting.confirmation"];
  const answer = await driver.request({ event_filters: { include: ["aaep:agent.*"], exclude }, supports_confirmation_reply: true });
  const honored = answer?.["honored_capabilities"];
  const filters = isObject(honored) && isObject(honored["event_filters"]) ? honored["event_filters"] : {};
  const items = await driver.prompt("Send an email to the team. It needs my confirmation.", 10, is("awaiting.confirmation"));
  await driver.decide(of(items, "awaiting.confirmation")[0], "reject");
  const after = await driver.read(30);
  return [
    must(
      "the filter is echoed",
      exclude.every((pattern) => Array.isArray(filters["exclude"]) && filters["exclude"].includes(pattern)),
    ),
    must("it is kept", of([...items, ...after], "state.changed").length === 0),
    must("critical events come all the same", of(items, "awaiting.confirmation").length === 1),
    must("the session ends", ends(after).length === 1),
  ];
}

const RATE_MS = 5000;

async function rate(driver: Driver): Promise<readonly Check[]> {
  const answer = await driver.request({ max_events_per_second: 1 });
  await driver.start("Give me a long explanation of how tides work.");
  const items = await driver.watch(RATE_MS);
  return [
    must("accepted", answer?.["type"] === "subscription.accepted"),
    must("six items at most", items.filter((item) => item["urgency"] !== "critical").length <= 6),
    must("the session is over within the time", ends(items).length === 1),
  ];
}

function isValid(item: JsonObject): boolean {
  const text = JSON.stringify(item);
  const read = readJson(text, JSON_LIMITS);
  if (typeof item["type"] !== "string") return true; // what acknowledges a prompt is no event
  return read.ok && AAEP.read(item, read.facts).findings.every((finding) => AAEP.rules[finding.rule]?.severity !== "error");
}
