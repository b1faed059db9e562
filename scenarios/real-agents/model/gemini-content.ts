import type { JsonObject } from "../../../packages/protocol/src/json.ts";
import { objectsIn, readTool } from "./reading.ts";
import type { Dialect } from "./script.ts";

/** Gemini CLI. */
export const geminiContent: Dialect = {
  fits: (path) => /:(?:stream)?[gG]enerateContent$/.test(path),
  read: (body) => ({
    tools: objectsIn(body["tools"])
      .flatMap((tool) => objectsIn(tool["functionDeclarations"]))
      .map(({ name, parametersJsonSchema, parameters }) => readTool(name, parametersJsonSchema ?? parameters)),
    results: objectsIn(body["contents"])
      .flatMap(({ parts }) => objectsIn(parts))
      .filter((part) => part["functionResponse"] !== undefined).length,
  }),
  write(lines, { path }) {
    const parts = lines.map((line) =>
      "uses" in line
        ? { functionCall: { name: line.uses, args: line.input, ...(line.id === undefined ? {} : { id: line.id }) } }
        : { text: line.says },
    );
    const answer: JsonObject = {
      candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
      modelVersion: "scripted",
    };
    return path.includes(":stream") ? { events: [{ data: answer }] } : { json: answer };
  },
};
