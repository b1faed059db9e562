// @ts-nocheck
RUNNER;

const harmless = new Set(HARMLESS);

export default function earshot(pi) {
  const payloadOf = (type, event, ctx) => ({ ...event, type, cwd: ctx?.cwd, sessionId: ctx?.sessionManager?.getSessionId?.() });
  for (const type of TOLD) pi.on(type, (event, ctx) => tell(type, payloadOf(type, event, ctx)));
  pi.on("tool_call", async (event, ctx) => {
    const payload = payloadOf("tool_call", event, ctx);
    if (harmless.has(event.toolName)) return tell("tool_call", payload, "observe");
    try {
      const answer = await ask("tool_call", payload);
      if (answer?.abort) ctx?.abort?.();
      return answer?.block ? { block: true, reason: answer.reason } : undefined;
    } catch (error) {
      return { block: true, reason: "Earshot could not be asked, so that nothing is run: " + error.message };
    }
  });
}
