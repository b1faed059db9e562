import type { DemoStage } from "./stage.ts";

const CONTEXT = "https://aaep-protocol.org/context/v1";
const TEXT = [
  "Four invoices are ready. ",
  "**Birch Studio** owes 1,240.00, the others less than 300 each. ",
  "I will send them one after the other, ",
  "and tell you if one does not go out.",
];

/** An agent in AAEP made for listening: reports summaries, streams its answer, and fails with a remedy. */
export async function playInvoiceAgent(stage: DemoStage): Promise<void> {
  let number = -1;
  const session = `sess_demo${stage.run}`;
  const say = (type: string, more: object, urgency = "normal") =>
    stage.send({
      "@context": CONTEXT,
      aaep_version: "1.0.0",
      type: `aaep:agent.${type}`,
      event_id: `evt_demo${stage.run}${number + 2}`,
      session_id: session,
      sequence_number: ++number,
      timestamp: stage.now(),
      producer: { agent_id: "invoice-desk", agent_name: "Invoice desk", agent_version: "2.0.1" },
      urgency,
      localization_hints: { primary_language: "en" },
      ...more,
    });
  const become = (from_state: string, to_state: string, summary_normal: string) =>
    say("state.changed", { from_state, to_state, summary_normal });

  await stage.pause(4);
  await say("session.started", {
    summary_terse: "Invoices.",
    summary_normal: "Sending the invoices of this month.",
    request_text: "Send the invoices of October.",
    expected_duration_ms: 35_000,
  });
  await become("idle", "thinking", "Looking at what is due.");
  await stage.pause(4);
  await become("thinking", "calling_tool", "Collecting invoices.");
  await use(stage, say, {
    id: "call_1",
    tool: "list_invoices",
    what: "Listing the invoices of October.",
    seconds: 5,
    result: "4 invoices.",
  });
  await become("calling_tool", "writing_output", "Summing up.");
  let position = 0;
  for (const [index, chunk] of TEXT.entries()) {
    await say("output.streaming", {
      chunk,
      position,
      complete: index === TEXT.length - 1,
      output_id: "out_1",
      content_type: "text/markdown",
      coalesce_hint: chunk.endsWith(". ") ? "sentence" : index === TEXT.length - 1 ? "completion" : "none",
    });
    position += [...chunk].length;
    await stage.pause(2);
  }
  await become("writing_output", "calling_tool", "Sending.");
  for (let sent = 1; sent <= 3; sent++) {
    await say("progress.updated", { progress: { step: sent, total_steps: 4, description: `Sending invoice ${sent} of 4` } }, "background");
    await stage.pause(4);
  }
  stage.print("Invoice desk cannot reach the post server.");
  const call = { tool: "send_invoice", tool_call_id: "call_2" };
  await say("tool.invoked", {
    ...call,
    summary_normal: "Sending the invoice to Birch Studio.",
    args_summary: "to: Birch Studio, amount: 1,240.00",
  });
  await stage.pause(6);
  await say("tool.completed", {
    ...call,
    status: "timeout",
    error_message: "The post server did not answer within 6 seconds.",
    summary_normal: "Birch Studio's invoice did not go out.",
  });
  await say(
    "session.errored",
    {
      error_category: "requires_user",
      error_code: "POST_UNREACHABLE",
      summary_normal: "Three of four invoices were sent. Birch Studio's was not.",
      remediation_hint: "Check the connection to the post server, then ask again.",
      recoverable: true,
    },
    "critical",
  );
}

interface Use {
  readonly id: string;
  readonly tool: string;
  readonly what: string;
  readonly seconds: number;
  readonly result: string;
}

async function use(
  stage: DemoStage,
  say: (type: string, more: object) => Promise<void>,
  { id, tool, what, seconds, result }: Use,
): Promise<void> {
  await say("tool.invoked", { tool, tool_call_id: id, summary_normal: what, risk_level: "low", irreversible: false });
  const invokedAt = Date.now();
  await stage.pause(seconds);
  await say("tool.completed", {
    tool,
    tool_call_id: id,
    status: "success",
    summary_normal: result,
    duration_ms: Date.now() - invokedAt,
  });
}
