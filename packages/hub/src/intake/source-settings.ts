import { EarshotError, isProtocolName } from "@earshot/protocol";
import type { Source } from "../ledger/ledger.ts";
import { CAPTURE_LEVELS, type CaptureLevel } from "./capture.ts";

/** How much of a source's events is stored. */
export interface SourceSettings {
  /** Whether known secret shapes are masked. */
  readonly redact: boolean;
  readonly capture: CaptureLevel;
}

export type SettingsOf = (source: Source) => SourceSettings;

const DEFAULT: SourceSettings = { redact: true, capture: "full" };

/** Settings by `all`, by protocol (`aop`), or by protocol and name (`aop/local`); the most specific applies. */
export function createSettings(rules: Readonly<Record<string, Partial<SourceSettings>>>): SettingsOf {
  // Cached by protocol and name: read three times per event, and building a combined key costs more than the lookup.
  const known = { aaep: new Map<string, SourceSettings>(), aep: new Map<string, SourceSettings>(), aop: new Map<string, SourceSettings>() };
  return ({ protocol, name }) => {
    const names = known[protocol];
    let settings = names.get(name);
    if (settings === undefined) {
      settings = { ...DEFAULT, ...rules["all"], ...rules[protocol], ...rules[`${protocol}/${name}`] };
      if (names.size < MAX_KNOWN) names.set(name, settings);
    }
    return settings;
  };
}

/** Per protocol. */
const MAX_KNOWN = 4000;

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
