import type { ListenPhrases } from "./listen-phrases.ts";
import type { VoiceReason } from "./voice/choose-voice.ts";

const RISKS = { low: "Geringes", medium: "Mittleres", high: "Hohes", unknown: "Unbekanntes" } as const;

export const GERMAN_LISTEN: ListenPhrases = {
  language: "de",
  begins: (voice, because) => {
    const why = reason(because);
    return voice === "lines" ? `Earshot hört zu, in Zeilen${why === "" ? "" : `: ${why}`}.` : `Earshot hört zu, mit ${voice}.`;
  },
  keysAtHand: "Fragezeichen nennt die Tasten.",
  askPin: "PIN tippen und Eingabe, um hier zu antworten; oder nur Eingabe, um zuzuhören.",
  paused: "Angehalten. Leertaste spricht weiter.",
  goesOn: "Weiter.",
  nothingSaid: "Noch wurde nichts gesagt.",
  waits: (index, all) => (all === 1 ? "Eine Anfrage wartet." : `${index} von ${all} wartenden.`),
  nobodyWaits: "Niemand wartet auf dich.",
  moreWait: (requests) => (requests === 1 ? "Noch eine wartet; w liest sie." : `Noch ${requests} warten; w liest sie.`),
  pace: (wpm) => `${wpm} Wörter pro Minute.`,
  verbosity: (verbosity) => `${{ terse: "Kurze", normal: "Übliche", detailed: "Ausführliche" }[verbosity]} Sätze.`,
  load: (load) =>
    ({
      low: "Nur Kritisches, Ergebnisse und Enden werden angesagt.",
      medium: "Auch die Arbeit wird angesagt.",
      high: "Alles wird angesagt.",
    })[load],
  quiet: (isQuiet) => (isQuiet ? "Ruhe: Nur Kritisches wird angesagt." : "Es wird wieder alles angesagt."),
  nothingAsked: "Nicht angenommen: Es wurde keine Anfrage angesagt. w liest, was wartet.",
  notHeard: "Nicht angenommen: Erst zu Ende hören.",
  tooFast: "Nicht angenommen: Das war zu schnell. Noch einmal drücken, wenn es so gemeint ist.",
  noSuchAnswer: (answers) => `Diese Antwort gibt es nicht. ${answers}`,
  confirm: (number, label) => `Das kann schaden. Noch einmal ${number} für ${label}; jede andere Taste lässt es.`,
  answered: (label) => `Geantwortet: ${label}.`,
  tooLate: "Zu spät: Die Antwort hat nichts geändert.",
  nothingDecided: "Nichts wurde entschieden.",
  noExactText: "Es gibt keinen genauen Text.",
  noKeyboard: "Antworten braucht ein Terminal mit Tastatur. Nichts wurde entschieden.",
  typeAnswer: "Deine Antwort (eine Nummer oder Worte; Strg-C lässt es): ",
  details: ({ risk, irreversible, because, folder, session }) =>
    [
      `${RISKS[risk]} Risiko.`,
      irreversible ? "Es lässt sich nicht rückgängig machen." : "",
      `Grund der Frage: ${because}.`,
      folder === undefined ? "" : `Im Ordner ${folder}.`,
      `Sitzung ${session}.`,
    ]
      .filter((part) => part !== "")
      .join(" "),
  absent:
    "Fünf Minuten lang wurde keine Taste gedrückt: Was jetzt gefragt wird, wartet vielleicht nicht auf dich. Jede Taste sagt, dass du da bist.",
  voiceFailed: (name, why) => `Die Stimme ${name} versagt: ${why}. Ab jetzt gibt es nur Zeilen.`,
  unreachable: "Der Hub war nicht zu erreichen. Nichts wurde entschieden.",
  help: `Leertaste oder s  anhalten; noch einmal: weiter
n  dies überspringen                r  noch einmal sagen
R oder b  die Ansage davor          w  wer wartet, der Reihe nach
o  wer wartet und wer arbeitet      m  was du verpasst hast
q  Ruhe: nur Kritisches             + und -  schneller, langsamer
v  Länge der Sätze                  l  wie viel angesagt wird
Strg-C  beenden
Zur Anfrage, die zuletzt angesagt wurde:
1 bis 9  die nummerierten Antworten  t  eine Antwort tippen
e  der genaue Text mit Zeichen       p  buchstabiert
d  Risiko, Regel und Ordner
Eine Antwort zählt, wenn die Anfrage zu Ende gehört ist. Was schaden kann, braucht dieselbe Nummer zweimal.
`,
};

function reason(because: VoiceReason): string {
  switch (because.is) {
    case "screen reader":
      return `${because.name} läuft und liest sie vor`;
    case "no terminal":
      return "die Ausgabe ist kein Terminal";
    case "none found":
      return "keine Stimme gefunden. speech-dispatcher oder espeak-ng installieren, oder eine mit --voice nennen";
    case "asked":
    case "found":
      return "";
  }
}
