import { useSyncExternalStore } from "react";

/** What a person has set for this browser. Kept in its local storage; anything unreadable there counts as not set. */
export interface Settings {
  readonly theme: "system" | "light" | "dark";
  readonly motion: "system" | "reduced";
  readonly density: "comfortable" | "compact";
  /** BCP 47, of texts that name none; or `system`. */
  readonly language: string;
  /** In which of `WORD_LANGUAGES` announcements are worded. */
  readonly wordsIn: string;
  readonly verbosity: "terse" | "normal" | "detailed";
  readonly load: "low" | "medium" | "high";
  readonly paceWpm: number;
  /** Announcements through the live regions. */
  readonly announces: boolean;
  /** Announcements by the browser's own voice. */
  readonly speaks: boolean;
  /** The voice for a language, by its address. */
  readonly voices: Readonly<Record<string, string>>;
  readonly sounds: boolean;
  /** Of sounds and of the voice, in percent. */
  readonly volume: number;
  readonly quiet: boolean;
  /** Single-key shortcuts; those of the page's own controls stay. */
  readonly shortcuts: boolean;
  /** Those that are switched off one by one, by their ids. */
  readonly shortcutsOff: readonly string[];
  /** `pages`: a list that browse mode reads whole. `scroll`: one long list, drawn as one scrolls. */
  readonly timeline: "pages" | "scroll";
  /** `session:…`, `agent:…`, `project:…`. */
  readonly muted: readonly string[];
  /** The session that alone is told as it goes; empty for none. */
  readonly follow: string;
}

export const DEFAULT_SETTINGS: Settings = {
  theme: "system",
  motion: "system",
  density: "comfortable",
  language: "system",
  wordsIn: "en",
  verbosity: "normal",
  load: "medium",
  paceWpm: 180,
  announces: true,
  speaks: false,
  voices: {},
  sounds: false,
  volume: 60,
  quiet: false,
  shortcuts: true,
  shortcutsOff: [],
  timeline: "pages",
  muted: [],
  follow: "",
};

const KEY = "earshot-settings";
const listeners = new Set<() => void>();
let current = read();

function read(): Settings {
  try {
    const said = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Record<keyof Settings, unknown>>;
    const kept = Object.entries(DEFAULT_SETTINGS).map(([name, usual]) => {
      const value = said[name as keyof Settings];
      return [name, value !== null && typeof value === typeof usual && Array.isArray(value) === Array.isArray(usual) ? value : usual];
    });
    return Object.fromEntries(kept) as unknown as Settings;
  } catch {
    return DEFAULT_SETTINGS; // forbidden or broken storage: the page works without
  }
}

export function settings(): Settings {
  return current;
}

export function changeSettings(changes: Partial<Settings>): void {
  current = { ...current, ...changes };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // Kept for as long as the page is open.
  }
  tell();
}

export function useSettings(): Settings {
  return useSyncExternalStore(listen, settings);
}

export function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  const { theme, motion, density } = current;
  Object.assign(document.documentElement.dataset, { theme, motion, density });
  for (const listener of listeners) listener();
}

addEventListener("storage", ({ key }) => {
  if (key !== KEY) return;
  current = read(); // changed in another tab
  tell();
});
tell();
