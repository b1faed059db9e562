import { IMPORTS, PLUGIN_MARK, type PluginOptions, runnerText } from "./runner-text.ts";

export function piPlugin(options: PluginOptions): string {
  const told = options.hooks.filter((hook) => hook !== "tool_call");
  return `// @ts-nocheck
${PLUGIN_MARK}
${IMPORTS}

${runnerText(options)}

const harmless = new Set(${JSON.stringify(options.harmless)});

export default function earshot(pi) {
  const payloadOf = (type, event, ctx) => ({ ...event, type, cwd: ctx?.cwd, sessionId: ctx?.sessionManager?.getSessionId?.() });
  for (const type of ${JSON.stringify(told)}) pi.on(type, (event, ctx) => tell(type, payloadOf(type, event, ctx)));
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
`;
}
