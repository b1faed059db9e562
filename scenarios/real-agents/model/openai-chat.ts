import { objectsIn, textsIn } from "./reading.ts";
import type { Dialect } from "./script.ts";

/** Qwen Code, OpenCode, Cline. */
export const openaiChat: Dialect = {
  fits: (path) => path.endsWith("/chat/completions"),
  read: (body) => ({
    tools: textsIn(objectsIn(body["tools"]).flatMap((tool) => objectsIn([tool["function"]]).map(({ name }) => name))),
    results: objectsIn(body["messages"]).filter(({ role }) => role === "tool").length,
  }),
  write(line, { body, number }) {
    const call = (uses: string, input: object) => ({
      id: `call_${number}`,
      type: "function",
      function: { name: uses, arguments: JSON.stringify(input) },
    });
    const base = { id: `chat_${number}`, created: 1_794_700_800, model: String(body["model"]) };
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    const reason = "uses" in line ? "tool_calls" : "stop";
    if (body["stream"] !== true) {
      const message = "uses" in line ? { content: null, tool_calls: [call(line.uses, line.input)] } : { content: line.says };
      const choice = { index: 0, message: { role: "assistant", ...message }, finish_reason: reason };
      return { json: { ...base, object: "chat.completion", choices: [choice], usage } };
    }
    const delta = "uses" in line ? { tool_calls: [{ index: 0, ...call(line.uses, line.input) }] } : { content: line.says };
    const chunk = (choices: readonly object[], more: object = {}) => ({
      data: { ...base, object: "chat.completion.chunk", choices, ...more },
    });
    return {
      events: [
        chunk([{ index: 0, delta: { role: "assistant", ...delta }, finish_reason: null }]),
        chunk([{ index: 0, delta: {}, finish_reason: reason }]),
        chunk([], { usage }),
        { data: "[DONE]" },
      ],
    };
  },
};
