import type { ActionName, ConjugateAction } from "./english-actions.ts";

/** Forms of the verb ("führt, ausgeführt, ausführen"), its separable prefix ("aus"), and its object. */
export function verb(forms: string, object: string | ((what: string | undefined) => string)): ConjugateAction {
  const [does = "", done = "", infinitive = "", particle = ""] = forms.split(" ");
  const to = particle === "" ? `zu ${infinitive}` : `${particle}zu${infinitive.slice(particle.length)}`;
  return (what) => {
    const upon = typeof object === "string" ? object : object(what);
    return {
      does: [does, upon, particle].filter((part) => part !== "").join(" "),
      done: `${upon} ${done}`,
      infinitive: `${upon} ${infinitive}`,
      not: `${upon} nicht ${infinitive}`,
      to: `${upon} ${to}`,
    };
  };
}

/** Tool actions in German. */
export const GERMAN_ACTIONS: Readonly<Record<ActionName, ConjugateAction>> = {
  use: verb("benutzt benutzt benutzen", (what) => what || "ein Werkzeug"),
  "use-skill": verb("benutzt benutzt benutzen", (what) => `die Fertigkeit ${what ?? ""}`),
  command: verb("führt ausgeführt ausführen aus", (what) => what || "einen Befehl"),
  edit: verb("bearbeitet bearbeitet bearbeiten", (what) => what || "eine Datei"),
  write: verb("schreibt geschrieben schreiben", (what) => what || "eine Datei"),
  read: verb("liest gelesen lesen", (what) => what || "eine Datei"),
  delete: verb("löscht gelöscht löschen", (what) => what || "eine Datei"),
  list: verb("listet aufgelistet auflisten auf", (what) => what || "Dateien"),
  search: verb("durchsucht durchsucht durchsuchen", "die Dateien"),
  "web-search": verb("sucht gesucht suchen", "im Netz"),
  fetch: verb("öffnet geöffnet öffnen", (what) => what || "eine Webseite"),
  plan: verb("ändert geändert ändern", "den eigenen Plan"),
  subagent: verb("startet gestartet starten", (what) => what || "eine Hilfe"),
  question: verb("stellt gestellt stellen", "dir eine Frage"),
  memory: verb("ändert geändert ändern", "das eigene Gedächtnis"),
  watch: verb("sieht gesehen sehen", "nach einem laufenden Befehl"),
  stop: verb("beendet beendet beenden", "einen laufenden Befehl"),
  test: verb("führt ausgeführt ausführen aus", "die Tests"),
  typecheck: verb("prüft geprüft prüfen", "die Typen"),
  lint: verb("prüft geprüft prüfen", "den Stil des Codes"),
  format: verb("formatiert formatiert formatieren", "den Code"),
  build: verb("baut gebaut bauen", "das Projekt"),
  install: verb("installiert installiert installieren", "Pakete"),
  uninstall: verb("entfernt entfernt entfernen", "Pakete"),
  script: verb("führt ausgeführt ausführen aus", (what) => `das Skript ${what || "des Projekts"}`),
  "run-file": verb("führt ausgeführt ausführen aus", (what) => what || "ein Programm"),
  commit: verb("schreibt festgeschrieben festschreiben fest", "Änderungen"),
  push: verb("lädt hochgeladen hochladen hoch", "Commits"),
  "force-push": verb("überschreibt überschrieben überschreiben", "Commits auf dem Server"),
  pull: verb("holt geholt holen", "Commits"),
  clone: verb("klont geklont klonen", "ein Repository"),
  switch: verb("arbeitet gearbeitet arbeiten", "an Zweigen"),
  merge: verb("führt zusammengeführt zusammenführen zusammen", "Commits"),
  rebase: verb("schreibt umgeschrieben umschreiben um", "Commits"),
  stash: verb("legt weggelegt weglegen weg", "Änderungen"),
  discard: verb("verwirft verworfen verwerfen", "Änderungen"),
  look: verb("sieht angesehen ansehen an", "sich den Stand"),
  stage: verb("merkt vorgemerkt vormerken vor", "Änderungen"),
  tag: verb("arbeitet gearbeitet arbeiten", "an Marken"),
  "pull-request": verb("arbeitet gearbeitet arbeiten", "an einem Pull Request"),
  publish: verb("veröffentlicht veröffentlicht veröffentlichen", "ein Paket"),
  deploy: verb("liefert ausgeliefert ausliefern aus", "das Projekt"),
  destroy: verb("zerstört zerstört zerstören", "Daten oder Dienste"),
  "remove-folder": verb("entfernt entfernt entfernen", (what) => `${what || "einen Ordner"} mit allem darin`),
  "remove-file": verb("entfernt entfernt entfernen", (what) => what || "Dateien"),
  copy: verb("kopiert kopiert kopieren", "Dateien"),
  move: verb("verschiebt verschoben verschieben", "Dateien"),
  "make-folder": verb("legt angelegt anlegen an", "einen Ordner"),
  download: verb("spricht gesprochen sprechen", (what) => `mit ${what || "dem Netz"}`),
  permissions: verb("ändert geändert ändern", "Rechte an Dateien"),
  kill: verb("beendet beendet beenden", "Prozesse"),
  container: verb("arbeitet gearbeitet arbeiten", "mit Containern"),
  image: verb("baut gebaut bauen", "ein Container-Abbild"),
  database: verb("arbeitet gearbeitet arbeiten", "an einer Datenbank"),
  connect: verb("verbindet verbunden verbinden", (what) => `sich mit ${what || "einem anderen Rechner"}`),
  archive: verb("arbeitet gearbeitet arbeiten", "mit einem Archiv"),
  wait: verb("wartet gewartet warten", "kurz"),
  print: verb("gibt ausgegeben ausgeben aus", "einen Text"),
  go: verb("wechselt gewechselt wechseln", "in einen anderen Ordner"),
};
