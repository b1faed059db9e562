import type { JsonValue } from "@earshot/protocol/json";
import { maskSecrets } from "@earshot/protocol/secrets";
import { toIso, toJsonText, toUtc } from "./coerce.ts";
import { createLook, isPlain, parsePointer } from "./json-values.ts";
import { checklist, diffFromEdits, joinText } from "./readable-text.ts";
import { providerOf, readToolName, splitToolName } from "./tool-names.ts";

/** Undefined: the value does not fit, and the field is left out. */
export type ApplyTransform = (value: JsonValue, cuts: ShorteningRecord) => JsonValue | undefined;

/** Records the original length of a shortened text. */
export interface ShorteningRecord {
  originalLength: number | undefined;
}

type Parameter = "none" | "count" | "name" | "pointer" | "maybe-name";

interface TransformKind {
  readonly takes: Parameter;
  readonly create: (parameter: JsonValue | undefined) => ApplyTransform;
}

const LARGEST_PARSED = 4 * 1024 * 1024;

/** All transforms are pure and total: they never throw. */
export const TRANSFORMS: Readonly<Record<string, TransformKind>> = {
  json_parse: plain((value) => (typeof value === "string" ? parseJson(value) : value)),
  to_string: plain((value) => (typeof value === "object" ? toJsonText(value) : String(value))),
  to_json: plain(toJsonText),
  at: { takes: "pointer", create: (pointer) => createLook(String(pointer)) },
  wrap: { takes: "name", create: (name) => (value) => ({ [String(name)]: value }) },
  epoch_ms_to_iso: plain((value) => isoFrom(toNumber(value))),
  epoch_s_to_iso: plain((value) => isoFrom(times1000(toNumber(value)))),
  to_iso: plain((value) =>
    typeof value === "string" ? (toUtc(value) ?? isoFrom(epochMs(toNumber(value)))) : isoFrom(epochMs(toNumber(value))),
  ),
  s_to_ms: plain((value) => times1000(toNumber(value))),
  number: plain(toNumber),
  mcp_server: {
    takes: "maybe-name",
    create: (separator) => text((name) => (separator === undefined ? readToolName(name) : splitToolName(name, String(separator))).server),
  },
  mcp_tool: {
    takes: "maybe-name",
    create: (separator) => text((name) => (separator === undefined ? readToolName(name) : splitToolName(name, String(separator))).tool),
  },
  tool_type: plain(text((name) => readToolName(name).type)),
  join_text: { takes: "maybe-name", create: (member) => (value) => joinText(value, member === undefined ? "text" : String(member)) },
  checklist: plain(checklist),
  diff_from_edits: plain(diffFromEdits),
  first_line: plain(text((value) => value.split(/\r\n|\n|\r/, 1)[0])),
  truncate: { takes: "count", create: (most) => (value, cuts) => (typeof value === "string" ? cut(value, Number(most), cuts) : undefined) },
  status_from_bool: plain((value) => (typeof value === "boolean" ? (value ? "success" : "failure") : undefined)),
  provider_from_model: plain(text(providerOf)),
  basename: plain(text((path) => splitPath(path).name)),
  dirname: plain(text((path) => splitPath(path).folder)),
  redact: plain(text(maskSecrets)),
};

/** Returns what a parameter must be if the written one does not fit. */
export function wantedParameter(name: string, parameter: JsonValue | undefined): string | undefined {
  const takes = TRANSFORMS[name]?.takes ?? "none";
  switch (takes) {
    case "none":
      return parameter === undefined ? undefined : "no parameter";
    case "count":
      return typeof parameter === "number" && Number.isInteger(parameter) && parameter > 0 && parameter <= 1_000_000
        ? undefined
        : "a number of characters";
    case "name":
      return isName(parameter) ? undefined : "a name";
    case "maybe-name":
      return parameter === undefined || isName(parameter) ? undefined : "a short text, or nothing";
    case "pointer":
      return typeof parameter === "string" && parsePointer(parameter) !== undefined ? undefined : "a JSON Pointer";
  }
}

function isName(parameter: JsonValue | undefined): boolean {
  return (
    typeof parameter === "string" &&
    /^[A-Za-z0-9_.:/-]{1,64}$/.test(parameter) &&
    !["__proto__", "constructor", "prototype"].includes(parameter)
  );
}

function plain(apply: ApplyTransform): TransformKind {
  return { takes: "none", create: () => apply };
}

function text(apply: (value: string) => string | undefined): ApplyTransform {
  return (value) => (typeof value === "string" ? apply(value) : undefined);
}

function parseJson(value: string): JsonValue | undefined {
  if (value.length > LARGEST_PARSED || !/^\s*[[{"\-\dtfn]/.test(value)) return undefined;
  try {
    const parsed = JSON.parse(value) as JsonValue;
    return isPlain(parsed) ? parsed : undefined;
  } catch {
    return undefined; // a text that only looks like JSON is no JSON
  }
}

function toNumber(value: JsonValue): number | undefined {
  if (typeof value === "string") return /^\s*-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?\s*$/.test(value) ? finite(Number(value)) : undefined;
  return typeof value === "number" ? finite(value) : undefined;
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

function times1000(value: number | undefined): number | undefined {
  return value === undefined ? undefined : finite(value * 1000);
}

/** Numbers below the year 5138 in seconds are read as seconds: no agent ran in 1973. */
function epochMs(value: number | undefined): number | undefined {
  return value === undefined || Math.abs(value) >= 1e11 ? value : value * 1000;
}

function isoFrom(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : toIso(ms);
}

function splitPath(path: string): { readonly folder: string | undefined; readonly name: string } {
  const trimmed = path.replace(/[/\\]{1,100}$/, "");
  const at = Math.max(trimmed.lastIndexOf("/"), trimmed.lastIndexOf("\\"));
  return { folder: at < 0 ? undefined : trimmed.slice(0, Math.max(1, at)), name: trimmed.slice(at + 1) };
}

/** Cuts between characters, never inside one. */
function cut(value: string, most: number, cuts: ShorteningRecord): string {
  if (value.length <= most) return value;
  cuts.originalLength = value.length;
  const end = /[\ud800-\udbff]/.test(value.charAt(most - 1)) ? most - 1 : most;
  return value.slice(0, end);
}
