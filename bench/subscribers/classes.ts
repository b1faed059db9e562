/** Subscribers of one kind, and what they ask for. */
export interface SubscriberClass {
  readonly name: string;
  readonly count: number;
  readonly capabilities: Capabilities;
}

export interface Capabilities {
  readonly max_events_per_second?: number;
  readonly preferred_verbosity?: "terse" | "normal" | "detailed";
  readonly languages?: readonly string[];
  readonly coalesce_boundaries?: readonly string[];
  readonly event_filters?: { readonly include?: readonly string[]; readonly exclude?: readonly string[] };
  readonly cognitive_load?: "low" | "medium" | "high";
  readonly pace_wpm?: number;
}

const CORE = "aaep:agent.";

/** 500 in all: from one that takes everything to one that asks for far less than there is to tell. */
export const CLASSES: readonly SubscriberClass[] = [
  {
    name: "logs everything",
    count: 20,
    capabilities: { coalesce_boundaries: ["none"], preferred_verbosity: "detailed", cognitive_load: "high" },
  },
  {
    name: "captions",
    count: 60,
    capabilities: { max_events_per_second: 20, coalesce_boundaries: ["word", "sentence"], preferred_verbosity: "detailed" },
  },
  { name: "screen reader", count: 120, capabilities: { max_events_per_second: 10, languages: ["en-GB"] } },
  {
    name: "screen reader, German",
    count: 80,
    capabilities: { max_events_per_second: 8, languages: ["de", "en"], preferred_verbosity: "terse" },
  },
  {
    name: "voice control",
    count: 60,
    capabilities: {
      max_events_per_second: 5,
      coalesce_boundaries: ["completion"],
      preferred_verbosity: "terse",
      event_filters: { exclude: [`${CORE}progress.*`, `${CORE}state.*`] },
    },
  },
  {
    name: "low load, slow pace",
    count: 50,
    capabilities: { cognitive_load: "low", pace_wpm: 150, coalesce_boundaries: ["paragraph", "completion"] },
  },
  { name: "tools only", count: 30, capabilities: { event_filters: { include: [`${CORE}tool.*`] } } },
  {
    name: "braille",
    count: 60,
    capabilities: {
      max_events_per_second: 2,
      preferred_verbosity: "terse",
      event_filters: { exclude: [`${CORE}tool.*`, `${CORE}progress.*`] },
    },
  },
  { name: "asks for far too little", count: 20, capabilities: { max_events_per_second: 1 } },
];
