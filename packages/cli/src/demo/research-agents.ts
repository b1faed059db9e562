import type { DemoStage } from "./stage.ts";

/** As assigned by the lead and accepted by the workers. */
const GOALS = { "price-scout": "Prices of three suppliers", "terms-reader": "Delivery terms of three suppliers" } as const;

/** A team of agents in AOP: one plans, two research; one of those loops until it gives up. */
export async function playResearchAgents(stage: DemoStage): Promise<void> {
  const lead = speaker(stage, "paper-buyer", "lead");
  await lead("session.started", { goal: "Find a supplier of recycled paper for 2,000 reams a month" });
  stage.print("paper-buyer plans, and sends two agents to look things up.");
  await stage.pause(2);
  await lead("cognition.thought", { content: "Prices and delivery terms can be looked up side by side.", confidence: "high" });
  await lead("cognition.decision", {
    decision: "Send one agent for prices and one for terms",
    alternatives: ["Ask one agent for both", "Write to the suppliers"],
    reasoning: "Neither needs to know what the other finds.",
  });
  await stage.pause(1);
  const parent = `demo-lead-${stage.run}`;
  const children = ["price-scout", "terms-reader"] as const;
  for (const child of children) {
    await lead("operation.agent_spawn", {
      child_session_id: `demo-${child}-${stage.run}`,
      child_agent_id: child,
      goal: GOALS[child],
    });
  }
  await Promise.all([playPriceScout(stage, parent), playTermsReader(stage, parent)]);
  await lead("cognition.uncertainty", { content: "Two of three prices are known; the third supplier shows none.", confidence: "medium" });
  await stage.pause(3);
  await lead("session.ended", {
    outcome: "completed",
    outcome_summary: "Northmill, at 3.95 a ream, delivered weekly. The third price is still missing.",
    metadata: { total_cost_usd: 0.412, total_tokens: 61_300, total_steps: 14 },
  });
}

async function playPriceScout(stage: DemoStage, parent: string): Promise<void> {
  const say = speaker(stage, "price-scout", "price-scout", parent);
  await say("session.started", { goal: GOALS["price-scout"] });
  await say("cognition.thought", { content: "Suppliers print their prices on their own pages.", confidence: "medium" });
  for (const [index, supplier] of ["Northmill", "Kraft and Sons"].entries()) {
    await say("operation.tool_start", {
      tool_name: "web_search",
      tool_call_id: `p${index}`,
      input: { query: `${supplier} recycled paper price` },
    });
    await stage.pause(5);
    await say("operation.tool_end", {
      tool_name: "web_search",
      tool_call_id: `p${index}`,
      success: true,
      duration_ms: 5000,
      result_summary: `${supplier}: ${index === 0 ? "3.95" : "4.40"} a ream.`,
      metadata: { token_spend_delta: 2100 },
    });
  }
  stage.print("price-scout tries the same thing again and again.");
  for (let turn = 0; turn < 6; turn++) {
    const call = { tool_name: "fetch_page", tool_call_id: `loop${turn}` };
    await say("operation.tool_start", { ...call, input: { url: "https://greenleaf.example/prices" } });
    await stage.pause(2);
    await say("operation.tool_end", { ...call, success: false, duration_ms: 2000, result_summary: "403: not for robots." });
  }
  await say("session.ended", {
    outcome: "failed",
    error_message: "greenleaf.example shows no prices to programs.",
    metadata: { total_cost_usd: 0.058 },
  });
}

async function playTermsReader(stage: DemoStage, parent: string): Promise<void> {
  const say = speaker(stage, "terms-reader", "terms-reader", parent);
  await say("session.started", { goal: GOALS["terms-reader"] });
  await say("cognition.thought", { content: "The names of the suppliers are known from last time.", confidence: "high" });
  await say("operation.memory", { operation: "read", key: "suppliers", summary: "Three names" });
  await stage.pause(5);
  await say("operation.external_call", { method: "GET", url: "https://northmill.example/terms", status_code: 200, duration_ms: 640 });
  await stage.pause(8);
  await say("cognition.thought", { content: "Northmill delivers weekly; Kraft and Sons only by the pallet.", confidence: "high" });
  await stage.pause(4);
  await say("session.ended", {
    outcome: "completed",
    outcome_summary: "Two of three deliver weekly.",
    metadata: { total_cost_usd: 0.031 },
  });
}

function speaker(stage: DemoStage, agent: string, name: string, parent?: string) {
  let sequence = 0;
  return (type: string, payload: object) =>
    stage.send({
      spec: "aop/1.0",
      session_id: `demo-${name}-${stage.run}`,
      agent_id: agent,
      agent_version: "1.2.0",
      sequence: ++sequence,
      timestamp: stage.now(),
      type,
      ...(parent === undefined ? {} : { parent_session_id: parent }),
      payload,
    });
}
