// @ts-nocheck
RUNNER;

const harmless = new Set(HARMLESS);

export default function earshot(pi) {
  const payloadOf = (type, event, ctx) => ({ ...event, type, cwd: ctx?.cwd, sessionId: ctx?.sessionManager?.getSessionId?.() });
  // Pi reports a blocked call as one that failed.
  const blocked = new Set();
  const isBlocked = (type, event) => type === "tool_execution_end" && blocked.delete(event.toolCallId);
  for (const type of TOLD) pi.on(type, (event, ctx) => isBlocked(type, event) || tell(type, payloadOf(type, event, ctx)));
  const block = ({ toolCallId }, reason) => {
    blocked.add(toolCallId);
    return { block: true, reason };
  };
  pi.on("tool_call", async (event, ctx) => {
    const payload = payloadOf("tool_call", event, ctx);
    if (harmless.has(event.toolName)) return tell("tool_call", payload, "observe");
    try {
      const answer = await ask("tool_call", payload);
      if (answer?.abort) ctx?.abort?.();
      return answer?.block ? block(event, answer.reason) : undefined;
    } catch (error) {
      return block(event, "Earshot could not be asked, so that nothing is run: " + error.message);
    }
  });
}
