import { describe, expect, it } from "vitest";
import { startDemoAgent } from "../examples/aaep-demo-agent/demo-agent.ts";
import { runDriver } from "./aaep/driver.ts";
import { connectHttp, connectWebSocket } from "./aaep/driver-connection.ts";
import { DRIVER_SCENARIOS } from "./aaep/driver-scenarios.ts";

/** A machine under load may pause for several seconds. */
const GAP_MS = 10_000;

async function drive(transport: "http" | "websocket", acknowledges: boolean, level: number) {
  await using agent = await startDemoAgent({ serve: { port: 0 }, acknowledges, journal: () => {} });
  const url = agent.endpoint.url ?? "";
  await using connection = transport === "http" ? connectHttp(url) : await connectWebSocket(url.replace("http", "ws"));
  return await runDriver(connection, DRIVER_SCENARIOS, { level, gapMs: GAP_MS });
}

const failures = (results: Awaited<ReturnType<typeof drive>>) =>
  results.flatMap(({ scenario, failed }) => failed.map((name) => `${scenario}: ${name}`));

describe.concurrent.each(["http", "websocket"] as const)("the demo agent over %s", (transport) => {
  it.each([1, 2, 3])("fails nothing of level %i when it acknowledges prompts", async (level) => {
    const results = await drive(transport, true, level);
    expect(results).toHaveLength(6 * level);
    expect(failures(results)).toEqual([]);
  });

  it("misses only what the driver itself uses up when it does not", async () => {
    expect(failures(await drive(transport, false, 3))).toEqual(["short chat: session.started is among what follows"]);
  });

  it("is warned of nothing but the reply that the driver sends twice", async () => {
    const results = await drive(transport, true, 2);
    expect(results.flatMap(({ scenario, warned }) => warned.map((name) => `${scenario}: ${name}`))).toEqual([
      "reply given twice: each token is replied to once",
    ]);
  });
});
