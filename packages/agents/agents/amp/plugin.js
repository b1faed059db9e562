// @ts-nocheck
RUNNER;

const harmless = new Set(HARMLESS);

export default function earshot(amp) {
  const payloadOf = (name, event) => ({ ...event, event: name, thread_id: process.env.AMP_THREAD_ID ?? event?.thread?.id });
  for (const name of TOLD) amp.on(name, (event) => tell(name, payloadOf(name, event)));
  amp.on("agent.end", async (event) => {
    const answer = await ask("agent.end", payloadOf("agent.end", event), OBSERVE_S).catch(() => undefined);
    return answer?.action === undefined ? undefined : answer;
  });
  amp.on("tool.call", async (event, ctx) => {
    const payload = payloadOf("tool.call", event);
    if (harmless.has(event.tool)) {
      tell("tool.call", payload, "observe");
      return { action: "allow" };
    }
    try {
      const answer = (await ask("tool.call", payload)) ?? {};
      if (answer.action !== "confirm") return answer.action === undefined ? { action: "allow" } : answer;
      const isWanted = await ctx.ui.confirm({ title: "Earshot", message: answer.message });
      return isWanted ? { action: "allow" } : { action: "reject-and-continue", message: answer.message };
    } catch (error) {
      return { action: "reject-and-continue", message: "Earshot could not be asked, so that nothing is run: " + error.message };
    }
  });
}
