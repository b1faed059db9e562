import Type, { type TSchema } from "typebox";
import type { Finding } from "../finding.ts";
import { isObject, type JsonObject } from "../json.ts";
import { pointerTo } from "../problem.ts";
import { defineRule } from "../rule.ts";
import { clipText } from "../schema.ts";
import { aepEventSchema, responseSchema } from "./events.ts";
import { FIRST, response } from "./example-events.ts";
import type { AepRuleId } from "./rules.ts";

export const MEMBER_NAMES_RULES = {
  "aep/snake-case": defineRule(["warning", "event", 3, "Example AEP event", ["*", "response"]], {
    title: "Member names are written in snake_case.",
    hint: "Rename the member; under another spelling it is an unknown member and nobody reads it.",
    oncePerSession: true,
    examples: () => ({
      passes: [FIRST, { ...response(2, 1, "allow"), control: { behavior: "allow", updated_input: { filePath: "a.ts" } } }],
      fails: [FIRST, { ...response(2, 1, "allow"), control: { behavior: "allow", updatedInput: { filePath: "a.ts" } } }],
    }),
  }),
} as const;

/**
 * The members of an object of the draft: a nested map for members that are objects, "plain" for the others. What the schema leaves open
 * (arguments, results, metrics, a tool's schema, extensions) is data with names of its own.
 */
interface Members extends ReadonlyMap<string, Members | "plain"> {}

const RULE: AepRuleId = "aep/snake-case";
const NAME_LIMIT = 60;
const EVENT_MEMBERS = membersOf(aepEventSchema);
const RESPONSE_MEMBERS = membersOf(responseSchema);

/** Returns a finding for the first member that is not in snake_case. Known members are, so only unknown ones are checked. */
export function memberNameFinding(record: JsonObject, kind: "event" | "response"): Finding | undefined {
  const members = kind === "event" ? EVENT_MEMBERS : RESPONSE_MEMBERS;
  if (members === "plain") return undefined;
  const path = pathToCamelCase(record, members);
  if (path === undefined) return undefined;
  const name = String(path.at(-1)).slice(0, NAME_LIMIT);
  const shown = clipText(path.join("."), 2 * NAME_LIMIT);
  return { rule: RULE, message: `\`${shown}\` is spelled \`${clipText(toSnakeCase(name))}\` in snake_case.`, pointer: pointerTo(...path) };
}

type Path = (string | number)[];

function pathToCamelCase(object: JsonObject, members: Members): Path | undefined {
  for (const key in object) {
    const inner = members.get(key);
    if (inner === "plain") continue;
    if (inner === undefined) {
      if (/[A-Z]/.test(key)) return [key];
      continue;
    }
    const member = object[key];
    if (isObject(member)) {
      const path = pathToCamelCase(member, inner);
      if (path !== undefined) return [key, ...path];
    } else if (Array.isArray(member)) {
      for (let index = 0; index < member.length; index++) {
        const item: unknown = member[index];
        const path = isObject(item) ? pathToCamelCase(item, inner) : undefined;
        if (path !== undefined) return [key, index, ...path];
      }
    }
  }
  return undefined;
}

/** `updatedInput` → `updated_input`, `sessionID` → `session_id`, `MCPServer` → `mcp_server`. */
function toSnakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();
}

function membersOf(schema: TSchema): Members | "plain" {
  if (Type.IsArray(schema)) return membersOf(schema.items);
  if (!Type.IsObject(schema)) return "plain";
  const properties = Object.entries(schema.properties);
  return properties.length === 0 ? "plain" : new Map(properties.map(([name, inner]) => [name, membersOf(inner)]));
}
