import type { JsonObject } from "../../../packages/protocol/src/json.ts";
import { objectsIn, readTool } from "./reading.ts";
import type { Dialect, Line } from "./script.ts";

/** Claude Code. */
export const anthropicMessages: Dialect = {
  fits: (path) => path.endsWith("/messages"),
  read: (body) => ({
    tools: objectsIn(body["tools"]).map(({ name, input_schema: schema }) => readTool(name, schema)),
    results: objectsIn(body["messages"])
      .flatMap(({ content }) => objectsIn(content))
      .filter(({ type }) => type === "tool_result").length,
  }),
  write(lines, { body, number }) {
    const contents = lines.map((line, index) => contentOf(line, `toolu_${number}_${index}`));
    const stop = lines.some((line) => "uses" in line) ? "tool_use" : "end_turn";
    const message = {
      id: `msg_${number}`,
      type: "message",
      role: "assistant",
      model: String(body["model"]),
      usage: { input_tokens: 10, output_tokens: 5 },
    };
    if (body["stream"] !== true) return { json: { ...message, content: contents, stop_reason: stop, stop_sequence: null } };
    const blocks = contents.flatMap(({ input, text, ...empty }, index) => {
      const delta = input === undefined ? { type: "text_delta", text } : { type: "input_json_delta", partial_json: JSON.stringify(input) };
      return [
        { type: "content_block_start", index, content_block: input === undefined ? { ...empty, text: "" } : { ...empty, input: {} } },
        { type: "content_block_delta", index, delta },
        { type: "content_block_stop", index },
      ];
    });
    const events = [
      { type: "message_start", message: { ...message, content: [], stop_reason: null, stop_sequence: null } },
      ...blocks,
      { type: "message_delta", delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 5 } },
      { type: "message_stop" },
    ];
    return { events: events.map((data) => ({ event: data.type, data })) };
  },
};

function contentOf(line: Line, id: string): JsonObject {
  return "uses" in line ? { type: "tool_use", id: line.id ?? id, name: line.uses, input: line.input } : { type: "text", text: line.says };
}
