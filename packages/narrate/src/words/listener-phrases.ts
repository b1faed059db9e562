import { matchLanguage } from "@earshot/aaep/speaking";

/** The listener's own phrases in one language, apart from those of agents and the announcer. */
export interface ListenerPhrases {
  /** BCP 47. */
  readonly language: string;
  /** Too many entries came at once, and these were skipped. */
  notTold(events: number): string;
  /** Requests that waited before listening began. */
  waiting(requests: number): string;
  readonly hubAway: string;
  readonly hubBack: string;
  /** Phrases about an open request; followed by what it wants. */
  readonly meanwhile: Readonly<Record<RequestPhase, string>>;
  /** A question in the agent's own words. */
  asks(question: string): string;
  /** The decider, if it was a rule. */
  rule(name: string): string;
  /** Any local program can send unverified events. */
  unverified(what: "question" | "handoff", text: string): string;
  /** By alert type. */
  readonly alerts: Readonly<Record<string, string>>;
}

export type RequestPhase = "half-time" | "last-call" | "unattended" | "attended";

export const ENGLISH_LISTENER: ListenerPhrases = {
  language: "en",
  notTold: (events) => `${events} more events were not announced.`,
  waiting: (requests) => (requests === 1 ? "One request waits for you." : `${requests} requests wait for you.`),
  hubAway: "The hub is not connected. No events arrive and no request can be answered until it is back.",
  hubBack: "The hub is back.",
  meanwhile: {
    "half-time": "Half of the time to answer has passed.",
    "last-call": "20 seconds left to answer.",
    unattended: "The agent no longer waits for an answer.",
    attended: "The agent waits for an answer again.",
  },
  asks: (question) => `It asks: ${question}`,
  rule: (name) => `the rule ${name}`,
  unverified: (what, text) => `A ${what} from an unverified source: ${text}`,
  alerts: {
    loop: "Repeats the same call",
    error_cascade: "Failures in a row",
    confidence_drop: "Losing confidence",
    stall: "Silent for too long",
    cost_spike: "Suddenly expensive",
    conformance_violation: "Broke a rule of its protocol",
    request_waiting: "Waits for an answer",
  },
};

export const GERMAN_LISTENER: ListenerPhrases = {
  language: "de",
  notTold: (events) =>
    events === 1 ? "Ein weiteres Ereignis wurde nicht angesagt." : `${events} weitere Ereignisse wurden nicht angesagt.`,
  waiting: (requests) => (requests === 1 ? "Eine Anfrage wartet auf dich." : `${requests} Anfragen warten auf dich.`),
  hubAway: "Der Hub ist weg. Bis er wieder da ist, ist nichts zu hören und nichts zu beantworten.",
  hubBack: "Der Hub ist wieder da.",
  meanwhile: {
    "half-time": "Die Hälfte der Zeit für die Antwort ist um.",
    "last-call": "Noch 20 Sekunden für die Antwort.",
    unattended: "Es wartet nicht mehr auf eine Antwort.",
    attended: "Es wartet wieder auf eine Antwort.",
  },
  asks: (question) => `Die Frage: ${question}`,
  rule: (name) => `der Regel ${name}`,
  unverified: (what, text) => `Eine ${what === "question" ? "Frage" : "Übergabe"} aus ungeprüfter Quelle: ${text}`,
  alerts: {
    loop: "Dreht sich im Kreis",
    error_cascade: "Fehler in Folge",
    confidence_drop: "Immer unsicherer",
    stall: "Zu lange still",
    cost_spike: "Plötzlich teuer",
    conformance_violation: "Hat eine Regel seines Protokolls verletzt",
    request_waiting: "Wartet auf eine Antwort",
  },
};

const ALL = [ENGLISH_LISTENER, GERMAN_LISTENER] as const;

/** The nearest language, or English. */
export function listenerPhrases(language: string): ListenerPhrases {
  const found = matchLanguage(
    language,
    ALL.map((one) => one.language),
  );
  return ALL.find((one) => one.language === found) ?? ENGLISH_LISTENER;
}

/** Includes kinds that only a newer hub knows. */
export function alertName(type: string, { alerts }: ListenerPhrases = ENGLISH_LISTENER): string {
  return (Object.hasOwn(alerts, type) ? alerts[type] : undefined) ?? type.replaceAll("_", " ");
}
