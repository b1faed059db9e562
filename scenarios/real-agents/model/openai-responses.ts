import type { JsonObject } from "../../../packages/protocol/src/json.ts";
import { objectsIn, readTool } from "./reading.ts";
import type { Dialect, Line } from "./script.ts";

/** Codex. */
export const openaiResponses: Dialect = {
  fits: (path) => path.endsWith("/responses"),
  read: (body) => ({
    tools: objectsIn(body["tools"]).flatMap(({ name, type, tools, parameters }) =>
      type === "namespace"
        ? objectsIn(tools).map((tool) => readTool(`${String(name)}/${String(tool["name"])}`, tool["parameters"]))
        : [readTool(name ?? type, parameters)],
    ),
    results: objectsIn(body["input"]).filter(({ type }) => String(type).endsWith("_output")).length,
  }),
  write(lines, { number }) {
    const id = `resp_${number}`;
    const items = lines.map((line, index) => itemOf(line, `${number}_${index}`));
    const usage = { input_tokens: 10, input_tokens_details: null, output_tokens: 5, output_tokens_details: null, total_tokens: 15 };
    const events = [
      { type: "response.created", response: { id, status: "in_progress", output: [] } },
      ...items.flatMap((item, index) => [
        { type: "response.output_item.added", output_index: index, item },
        { type: "response.output_item.done", output_index: index, item },
      ]),
      { type: "response.completed", response: { id, status: "completed", output: items, usage } },
    ];
    return { events: events.map((data) => ({ event: data.type, data })) };
  },
};

function itemOf(line: Line, number: string): JsonObject {
  if ("uses" in line) {
    const [name = "", namespace] = line.uses.split("/").reverse();
    return {
      type: "function_call",
      id: `fc_${number}`,
      call_id: line.id ?? `call_${number}`,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      arguments: JSON.stringify(line.input),
    };
  }
  return { type: "message", id: `msg_${number}`, role: "assistant", content: [{ type: "output_text", text: line.says, annotations: [] }] };
}
