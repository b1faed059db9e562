import type { JsonObject } from "../../../packages/protocol/src/json.ts";
import { objectsIn, textsIn } from "./reading.ts";
import type { Dialect, Line } from "./script.ts";

/** Codex. */
export const openaiResponses: Dialect = {
  fits: (path) => path.endsWith("/responses"),
  read: (body) => ({
    tools: textsIn(objectsIn(body["tools"]).map(({ name, type }) => name ?? type)),
    results: objectsIn(body["input"]).filter(({ type }) => String(type).endsWith("_output")).length,
  }),
  write(line, { number }) {
    const id = `resp_${number}`;
    const item = itemOf(line, number);
    const usage = { input_tokens: 10, input_tokens_details: null, output_tokens: 5, output_tokens_details: null, total_tokens: 15 };
    const events = [
      { type: "response.created", response: { id, status: "in_progress", output: [] } },
      { type: "response.output_item.added", output_index: 0, item },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: { id, status: "completed", output: [item], usage } },
    ];
    return { events: events.map((data) => ({ event: data.type, data })) };
  },
};

function itemOf(line: Line, number: number): JsonObject {
  if ("uses" in line)
    return { type: "function_call", id: `fc_${number}`, call_id: `call_${number}`, name: line.uses, arguments: JSON.stringify(line.input) };
  return { type: "message", id: `msg_${number}`, role: "assistant", content: [{ type: "output_text", text: line.says, annotations: [] }] };
}
