import { SCHEMAS } from "@earshot/protocol/schemas";
import { describe, expect, it } from "vitest";
import { FIELD_KINDS, fieldKindOf } from "./field-kinds.ts";

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: readonly string[];
}

describe("the fields that a rule may fill", () => {
  it("are those of the schema of an event, with the same kinds", () => {
    const found = new Map<string, unknown>();
    walk(SCHEMAS.aep["event"] as unknown as Schema, "", found);
    const ours = new Map(Object.entries(FIELD_KINDS).map(([path, kind]) => [path, shapeOf(kind)]));
    // Fields the engine writes itself, and fields the schema leaves open.
    for (const path of ["aep_version", "type", "metrics", "extensions"]) found.delete(path);
    for (const path of ["metrics.*", "extensions.*"]) ours.delete(path);
    expect([...ours].sort()).toEqual([...found].sort());
  });

  it.each([
    ["content.0.text", "text"],
    ["metrics.cost_usd", "number"],
    ["extensions.x-note", "any"],
    ["content.0", undefined],
    ["content.99.text", undefined],
    ["session", undefined],
    ["session.id.inner", undefined],
    ["action.input.command", undefined],
    ["extensions.note", undefined],
    ["metrics.a.b", undefined],
    ["type", undefined],
    ["toString", undefined],
    ["constructor.name", undefined],
  ])("%s is %s", (path, kind) => {
    expect(fieldKindOf(path)).toEqual(kind);
  });
});

function walk(schema: Schema, path: string, found: Map<string, unknown>): void {
  if (schema.items?.properties !== undefined) {
    walk(schema.items, `${path}.N`, found);
    return;
  }
  const members = Object.entries(schema.properties ?? {});
  if (members.length === 0) found.set(path, schema.enum ?? (schema.type === "array" ? "array" : (schema.type ?? "anything")));
  for (const [name, inner] of members) walk(inner, path === "" ? name : `${path}.${name}`, found);
}

function shapeOf(kind: (typeof FIELD_KINDS)[string]): unknown {
  if (typeof kind !== "string") return [...kind];
  return {
    text: "string",
    id: "string",
    time: "string",
    number: "number",
    boolean: "boolean",
    texts: "array",
    map: "object",
    any: "anything",
  }[kind];
}
