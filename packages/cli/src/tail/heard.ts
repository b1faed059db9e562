import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";

/** An entry of the ledger as the hub sends it. What a sender chose is untrusted. */
export interface Heard {
  readonly position: number;
  readonly receivedAt: string;
  readonly protocol: string;
  readonly session: string;
  readonly kind: string;
  readonly type: string;
  readonly agent: string;
  /** Severity and rule of what is wrong with it. */
  readonly flags: readonly { readonly severity: string; readonly rule: string }[];
  /** How many secrets were masked in it. */
  readonly masked: number;
  readonly event: JsonValue;
}

/** Reads a frame. Members that a later hub adds are passed over; those that are missing are shown as nothing. */
export function readHeard(json: string): Heard | undefined {
  const value = parse(json);
  if (!isObject(value) || typeof value["position"] !== "number") return undefined;
  const { flags, redactions } = value;
  return {
    position: value["position"],
    receivedAt: textOf(value, "receivedAt"),
    protocol: textOf(value, "protocol"),
    session: textOf(value, "session"),
    kind: textOf(value, "kind"),
    type: textOf(value, "type"),
    agent: textOf(value, "agent"),
    flags: Array.isArray(flags)
      ? flags.filter(isObject).map((flag) => ({ severity: textOf(flag, "severity"), rule: textOf(flag, "rule") }))
      : [],
    masked: Array.isArray(redactions) ? redactions.length : 0,
    event: value["event"] ?? null,
  };
}

function parse(json: string): JsonValue | undefined {
  try {
    return JSON.parse(json) as JsonValue;
  } catch {
    return undefined; // no frame of a hub; whoever asked says so
  }
}

function textOf(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}
