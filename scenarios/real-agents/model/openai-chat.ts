import { objectsIn, readTool } from "./reading.ts";
import type { Dialect } from "./script.ts";

/** Qwen Code, OpenCode, Cline. */
export const openaiChat: Dialect = {
  fits: (path) => path.endsWith("/chat/completions"),
  read: (body) => ({
    tools: objectsIn(body["tools"]).flatMap((tool) =>
      objectsIn([tool["function"]]).map(({ name, parameters }) => readTool(name, parameters)),
    ),
    results: objectsIn(body["messages"]).filter(({ role }) => role === "tool").length,
  }),
  write(lines, { body, number }) {
    const calls = lines.flatMap((line, index) =>
      "uses" in line
        ? [
            {
              index,
              id: line.id ?? `call_${number}_${index}`,
              type: "function",
              function: { name: line.uses, arguments: JSON.stringify(line.input) },
            },
          ]
        : [],
    );
    const words = lines.flatMap((line) => ("says" in line ? [line.says] : [])).join("\n");
    const content = calls.length > 0 ? { tool_calls: calls } : { content: words };
    const base = { id: `chat_${number}`, created: 1_794_700_800, model: String(body["model"]) };
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    const reason = calls.length > 0 ? "tool_calls" : "stop";
    if (body["stream"] !== true) {
      const choice = { index: 0, message: { role: "assistant", content: null, ...content }, finish_reason: reason };
      return { json: { ...base, object: "chat.completion", choices: [choice], usage } };
    }
    const chunk = (choices: readonly object[], more: object = {}) => ({
      data: { ...base, object: "chat.completion.chunk", choices, ...more },
    });
    return {
      events: [
        chunk([{ index: 0, delta: { role: "assistant", ...content }, finish_reason: null }]),
        chunk([{ index: 0, delta: {}, finish_reason: reason }]),
        chunk([], { usage }),
        { data: "[DONE]" },
      ],
    };
  },
};
