import { type Asked, MOMENTS, readToolInput } from "@earshot/policy";
import { EarshotError, isObject, type JsonObject, readJson } from "@earshot/protocol";
import { putToRules } from "./put-to-rules.ts";

/**
 * What a payload puts to the rules, whoever wrote it: an AEP or AAEP event; what a coding agent gives its hook (`tool_name`,
 * `tool_input`, `cwd`); or the bare question, as docs/policy.md describes it (`moment`, `tool`, `command` …).
 */
export function readPayload(text: string): Asked {
  const read = readJson(text);
  if (!read.ok) throw unusable(`The payload is no JSON: ${read.problem.message}`);
  const { value } = read;
  if (!isObject(value)) throw unusable("The payload is no JSON object.");
  return askedIn(value);
}

/** The same, of one that was read before. */
export function askedIn(value: JsonObject): Asked {
  const asked = fromEvent(value) ?? fromHook(value) ?? fromQuestion(value);
  if (asked === undefined) throw unusable("The payload asks nothing that a rule could speak about.");
  return asked;
}

const EXAMPLE = 'For example {"tool":"Bash","command":"git push --force","cwd":"/home/me/shop"}';

function unusable(message: string, hint = EXAMPLE): EarshotError {
  return new EarshotError({ code: "PAYLOAD_UNUSABLE", message, hint });
}

function fromEvent(value: JsonObject): Asked | undefined {
  const { type } = value;
  if (typeof type !== "string" || (value["aep_version"] === undefined && !type.startsWith("aaep:"))) return undefined;
  return putToRules(type.replace(/^aaep:/, ""), value, false);
}

function fromHook(value: JsonObject): Asked | undefined {
  const { tool_name: tool, tool_input: input, cwd, session_id: session } = value;
  if (typeof tool !== "string") return undefined;
  const folder = typeof cwd === "string" ? { cwd } : {};
  const isPermission = /^permission/i.test(String(value["hook_event_name"] ?? ""));
  return {
    moment: isPermission ? "permission" : "action",
    tool,
    ...folder,
    ...(typeof session === "string" ? { session } : {}),
    ...(input === undefined ? {} : { input }),
    ...readToolInput(tool, input, folder.cwd),
  };
}

const TEXTS = ["agent", "session", "tool", "server", "skill", "command", "cwd"] as const;

function fromQuestion(value: JsonObject): Asked | undefined {
  const moment = MOMENTS.find((one) => one === (value["moment"] ?? "action"));
  if (moment === undefined) throw unusable(`There is no moment ${shortly(value["moment"])}.`, `One of ${MOMENTS.join(", ")}.`);
  const texts = Object.fromEntries(TEXTS.flatMap((name) => (typeof value[name] === "string" ? [[name, value[name]]] : [])));
  if (Object.keys(texts).length === 0 && value["moment"] === undefined) return undefined;
  const { tool, cwd } = texts as { readonly tool?: string; readonly cwd?: string };
  const { input, risk, reversible, attended } = value;
  return {
    moment,
    ...(tool === undefined ? {} : readToolInput(tool, input, cwd)),
    ...(input === undefined ? {} : { input }),
    ...texts,
    ...(risk === "low" || risk === "medium" || risk === "high" ? { risk } : {}),
    ...(typeof reversible === "boolean" ? { reversible } : {}),
    ...(typeof attended === "boolean" ? { attended } : {}),
  };
}

function shortly(value: unknown): string {
  return (JSON.stringify(value) ?? "").slice(0, 80);
}
