import type { Capabilities } from "@earshot/protocol";
import { DEFAULT_CAPABILITIES } from "@earshot/protocol/aaep-names";
import { isPattern } from "./compile-terms.ts";
import { matchLanguage } from "./match-language.ts";
import type { ProducerOffer } from "./producer-ports.ts";

type Honoring =
  | { readonly ok: true; readonly honored: Capabilities; readonly notes: readonly string[] }
  /** None of the requested values is available for a member that must not be empty. */
  | { readonly ok: false; readonly why: string };

/**
 * The honored part of the requested capabilities: never more than requested, with defaults for omitted members. Values are echoed as they
 * were written, so that comparisons succeed.
 */
export function honorCapabilities(asked: Capabilities, offer: ProducerOffer): Honoring {
  const notes: string[] = [];
  const languages = honorLanguages(asked.languages, offer.languages, notes);
  if (languages === "none") return refuse(`None of the languages asked for is spoken here. There is: ${list(offer.languages ?? [])}.`);
  const boundaries = intersect(asked.coalesce_boundaries, DEFAULT_CAPABILITIES.coalesce_boundaries, offer.boundaries);
  if (boundaries === "none") return refuse(`Output is merged at these boundaries only: ${list(offer.boundaries)}.`);
  const levels = intersect(asked.supported_conformance_levels, DEFAULT_CAPABILITIES.supported_conformance_levels, offer.levels);
  if (levels === "none") return refuse(`The conformance levels here are ${list(offer.levels)}.`);
  const extensions = honorExtensions(asked.supported_extensions ?? [], offer);
  if (!extensions.ok) return refuse(`Two extensions were asked for whose data stands under one prefix: ${extensions.prefix}.`);
  const { include, exclude } = { ...DEFAULT_CAPABILITIES.event_filters, ...asked.event_filters };
  const unclear = [...include, ...exclude].find((pattern) => !isPattern(pattern));
  if (unclear !== undefined) return refuse(`The pattern ${JSON.stringify(unclear)} has a * before its end.`);
  const rate = lesser(asked.max_events_per_second, offer.maxEventsPerSecond);

  if (rate !== asked.max_events_per_second) notes.push(`At most ${rate} events per second are sent.`);
  noteLost(notes, "merging at", boundaries.lost);
  noteLost(notes, "conformance level", levels.lost);
  noteLost(notes, "extension", extensions.lost);
  noteLost(
    notes,
    "namespace",
    Object.keys(asked).filter((key) => !KNOWN.has(key)),
  );
  if (asked.supports_confirmation_reply === true && !offer.takesConfirmations) notes.push("Replies to confirmations are not taken.");
  if (asked.supports_clarification_reply === true && !offer.takesClarifications) notes.push("Replies to clarifications are not taken.");

  const honored: Capabilities = {
    ...(rate === undefined ? {} : { max_events_per_second: rate }),
    preferred_verbosity: asked.preferred_verbosity ?? DEFAULT_CAPABILITIES.preferred_verbosity,
    ...(languages.length === 0 ? {} : { languages: [...languages] }),
    supports_confirmation_reply: asked.supports_confirmation_reply === true && offer.takesConfirmations,
    supports_clarification_reply: asked.supports_clarification_reply === true && offer.takesClarifications,
    ...(boundaries.kept.length === 0 ? {} : { coalesce_boundaries: [...boundaries.kept] }),
    event_filters: { include: [...include], exclude: [...exclude] },
    ...(levels.kept.length === 0 ? {} : { supported_conformance_levels: [...levels.kept] }),
    supported_extensions: [...extensions.kept],
    cognitive_load: asked.cognitive_load ?? DEFAULT_CAPABILITIES.cognitive_load,
    ...(asked.pace_wpm === undefined ? {} : { pace_wpm: asked.pace_wpm }),
    accept_signed_manifests_only: asked.accept_signed_manifests_only ?? DEFAULT_CAPABILITIES.accept_signed_manifests_only,
  };
  return { ok: true, honored, notes };
}

const KNOWN: ReadonlySet<string> = new Set([...Object.keys(DEFAULT_CAPABILITIES), "max_events_per_second", "pace_wpm"]);

/** Without a requested language every language is delivered. */
function honorLanguages(
  asked: readonly string[] | undefined,
  offered: readonly string[] | undefined,
  notes: string[],
): readonly string[] | "none" {
  const wanted = asked ?? DEFAULT_CAPABILITIES.languages;
  if (offered === undefined) return wanted;
  const kept = wanted.filter((language) => matchLanguage(language, offered) !== undefined);
  if (kept.length === 0 && asked !== undefined) return "none";
  noteLost(notes, "language", asked?.filter((language) => !kept.includes(language)) ?? []);
  if (kept.length === 0) notes.push(`What is said is said in ${list(offered)}.`);
  return kept;
}

interface Kept<Item> {
  readonly kept: readonly Item[];
  readonly lost: readonly Item[];
}

/** In the requested order. Empty only without a request: the member is then omitted. */
function intersect<Item>(asked: readonly Item[] | undefined, standard: readonly Item[], offered: readonly Item[]): Kept<Item> | "none" {
  const kept = (asked ?? standard).filter((item) => offered.includes(item));
  if (asked !== undefined && kept.length === 0) return "none";
  return { kept, lost: asked?.filter((item) => !kept.includes(item)) ?? [] };
}

type Extensions = ({ readonly ok: true } & Kept<string>) | { readonly ok: false; readonly prefix: string };

/** Of two editions of one extension the first one offered is kept; two different extensions with one prefix are refused. */
function honorExtensions(asked: readonly string[], offer: ProducerOffer): Extensions {
  const kept: string[] = [];
  const byPrefix = new Map<string, string>();
  for (const uri of offer.extensions) {
    if (!asked.includes(uri)) continue;
    const prefix = offer.extensionPrefixes?.[uri];
    const other = prefix === undefined ? undefined : byPrefix.get(prefix);
    if (prefix !== undefined && other !== undefined) {
      if (withoutEdition(other) !== withoutEdition(uri)) return { ok: false, prefix };
      continue;
    }
    if (prefix !== undefined) byPrefix.set(prefix, uri);
    kept.push(uri);
  }
  return { ok: true, kept, lost: asked.filter((uri) => !kept.includes(uri)) };
}

function withoutEdition(uri: string): string {
  return uri.replace(/[/:]v\d+\/?$/, "");
}

function lesser(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}

function noteLost(notes: string[], what: string, lost: readonly (string | number)[]): void {
  if (lost.length > 0) notes.push(`Not available, ${what}: ${list(lost)}.`);
}

/** Names some of many values. */
function list(items: readonly (string | number)[]): string {
  const some = items.slice(0, 8).map((item) => String(item).slice(0, 64));
  return `${some.join(", ")}${items.length > some.length ? " …" : ""}`;
}

function refuse(why: string): Honoring {
  return { ok: false, why };
}
