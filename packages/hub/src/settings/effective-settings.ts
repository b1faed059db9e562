import { EVENT_LIMITS } from "../http/events.ts";
import { ADMISSION_LIMITS } from "../intake/admission.ts";
import type { SourceSettings } from "../intake/source-settings.ts";
import { RETENTION } from "../keeping/retention.ts";
import { LIVE_DEFAULTS } from "../live/live-streams.ts";
import { ALERT_THRESHOLDS } from "../views/alerts/detector.ts";
import type { ConfigFile } from "./config-file.ts";
import type { HubSettings } from "./settings.ts";

/** A setting's path (`limits.eventBytes`), value and origin. Null if there is none, or the hub chooses. */
export interface EffectiveSetting {
  readonly key: string;
  readonly value: unknown;
  readonly from: "flag" | "file" | "last-good" | "default";
}

const DEFAULTS: Readonly<Record<string, unknown>> = {
  port: null,
  aop: false,
  strict: false,
  open: true,
  notify: true,
  "capture.all": "full",
  keepSecrets: [],
  "retention.days": RETENTION.days,
  "retention.bytes": RETENTION.bytes,
  "limits.eventBytes": EVENT_LIMITS.eventBytes,
  "limits.queueBytes": ADMISSION_LIMITS.queueBytes,
  "limits.listeners": LIVE_DEFAULTS.maxListeners,
  ...Object.fromEntries(Object.entries(ALERT_THRESHOLDS).map(([name, value]) => [`alerts.${name}`, value])),
  allowOrigins: [],
  publicUrl: null,
};

/** Flags take precedence per setting: a capture level for one source leaves the others unchanged. */
export function combineSettings(flags: HubSettings, file: HubSettings): HubSettings {
  return {
    ...file,
    ...flags,
    ...merged("capture", file, flags),
    ...merged("retention", file, flags),
    ...merged("limits", file, flags),
    ...merged("alerts", file, flags),
  };
}

/** Every setting with its origin, for display. */
export function listSettings(flags: HubSettings, { settings, from }: Pick<ConfigFile, "settings" | "from">): readonly EffectiveSetting[] {
  const byFlag = flatten(flags);
  const byFile = flatten(settings);
  const keys = new Set([...Object.keys(DEFAULTS), ...byFile.keys(), ...byFlag.keys()]);
  return [...keys].map((key): EffectiveSetting => {
    if (byFlag.has(key)) return { key, value: byFlag.get(key), from: "flag" };
    if (byFile.has(key)) return { key, value: byFile.get(key), from: from === "defaults" ? "default" : from };
    return { key, value: DEFAULTS[key], from: "default" };
  });
}

/** How much is stored of each source's events. */
export function sourceSettings({ capture = {}, keepSecrets = [] }: HubSettings): Readonly<Record<string, Partial<SourceSettings>>> {
  const sources: Record<string, Partial<SourceSettings>> = {};
  for (const [source, level] of Object.entries(capture)) sources[source] = { capture: level };
  for (const source of keepSecrets) sources[source] = { ...sources[source], redact: false };
  return sources;
}

type Section = "capture" | "retention" | "limits" | "alerts";

function merged<Key extends Section>(key: Key, file: HubSettings, flags: HubSettings): Pick<HubSettings, Key> | object {
  return file[key] === undefined && flags[key] === undefined ? {} : { [key]: { ...file[key], ...flags[key] } };
}

function flatten(settings: HubSettings): ReadonlyMap<string, unknown> {
  const flat = new Map<string, unknown>();
  for (const [key, value] of Object.entries(settings)) {
    if (typeof value !== "object" || Array.isArray(value)) flat.set(key, value);
    else for (const [member, inner] of Object.entries(value)) flat.set(`${key}.${member}`, inner);
  }
  return flat;
}
