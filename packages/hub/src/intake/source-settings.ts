import { EarshotError, isProtocolName } from "@earshot/protocol";
import type { Source } from "../ledger/ledger.ts";
import { CAPTURE_LEVELS, type CaptureLevel } from "./capture.ts";

/** What is kept of what a source says. */
export interface SourceSettings {
  /** Whether secrets of known shapes are masked. */
  readonly redact: boolean;
  readonly capture: CaptureLevel;
}

export type SettingsOf = (source: Source) => SourceSettings;

const DEFAULT: SourceSettings = { redact: true, capture: "full" };

/** Settings by `all`, by protocol (`aop`), or by protocol and name (`aop/local`); the most particular one counts. */
export function createSettings(rules: Readonly<Record<string, Partial<SourceSettings>>>): SettingsOf {
  // By protocol, then by name: asked three times for each event, and putting a key together takes longer than finding it.
  const known = { aaep: new Map<string, SourceSettings>(), aep: new Map<string, SourceSettings>(), aop: new Map<string, SourceSettings>() };
  return ({ protocol, name }) => {
    const names = known[protocol];
    let settings = names.get(name);
    if (settings === undefined) {
      settings = { ...DEFAULT, ...rules["all"], ...rules[protocol], ...rules[`${protocol}/${name}`] };
      if (names.size < MOST_KNOWN) names.set(name, settings);
    }
    return settings;
  };
}

/** Of each protocol. */
const MOST_KNOWN = 4000;

/** `aop=minimal`, or `minimal` for all sources. */
export function readCapture(text: string): readonly [source: string, level: CaptureLevel] {
  const equals = text.indexOf("=");
  const source = equals < 0 ? "all" : text.slice(0, equals);
  const level = CAPTURE_LEVELS.find((one) => one === text.slice(equals + 1));
  if (level === undefined)
    throw wrong(`${JSON.stringify(text)} names no capture level.`, `One of ${CAPTURE_LEVELS.join(", ")}; or aop=minimal for one protocol.`);
  return [readSource(source), level];
}

export function readSource(text: string): string {
  const [protocol = ""] = text.split("/", 1);
  if (text === "all" || isProtocolName(protocol)) return text;
  throw wrong(`${JSON.stringify(text)} names no source.`, "A source is all, a protocol (aaep, aep, aop), or aop/local.");
}

function wrong(message: string, hint: string): EarshotError {
  return new EarshotError({ code: "WRONG_USAGE", message, hint });
}
