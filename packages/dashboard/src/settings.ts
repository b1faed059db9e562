import { useSyncExternalStore } from "react";

/** The user's settings for this browser, kept in its local storage; an unreadable value counts as not set. */
export interface BrowserSettings {
  readonly theme: "system" | "light" | "dark";
  readonly motion: "system" | "reduced";
  readonly density: "comfortable" | "compact";
  /** Language (BCP 47) of texts that do not declare one; or `system`. */
  readonly language: string;
  /** Language of the announcements' wording, one of `WORD_LANGUAGES`. */
  readonly wordsIn: string;
  readonly verbosity: "terse" | "normal" | "detailed";
  readonly load: "low" | "medium" | "high";
  readonly paceWpm: number;
  /** Announcements through the live regions. */
  readonly announces: boolean;
  /** Announcements by the browser's own voice. */
  readonly speaks: boolean;
  /** URI of the voice for each language. */
  readonly voices: Readonly<Record<string, string>>;
  readonly sounds: boolean;
  /** Volume of sounds and voice, in percent. */
  readonly volume: number;
  readonly quiet: boolean;
  /** Enables single-key shortcuts; the keys of the page's own controls always work. */
  readonly shortcuts: boolean;
  /** Ids of shortcuts that are switched off individually. */
  readonly shortcutsOff: readonly string[];
  /** `pages`: a list that browse mode reads whole. `scroll`: one virtualized list. */
  readonly timeline: "pages" | "scroll";
  /** `session:…`, `agent:…`, `project:…`. */
  readonly muted: readonly string[];
  /** The only session whose routine events are announced; empty for all. */
  readonly follow: string;
}

export const DEFAULT_BROWSER_SETTINGS: BrowserSettings = {
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

function read(): BrowserSettings {
  try {
    const said = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Record<keyof BrowserSettings, unknown>>;
    const kept = Object.entries(DEFAULT_BROWSER_SETTINGS).map(([name, usual]) => {
      const value = said[name as keyof BrowserSettings];
      return [name, value !== null && typeof value === typeof usual && Array.isArray(value) === Array.isArray(usual) ? value : usual];
    });
    return Object.fromEntries(kept) as unknown as BrowserSettings;
  } catch {
    return DEFAULT_BROWSER_SETTINGS; // forbidden or broken storage: the page works without
  }
}

export function currentSettings(): BrowserSettings {
  return current;
}

export function changeBrowserSettings(changes: Partial<BrowserSettings>): void {
  current = { ...current, ...changes };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // Storage is unavailable: kept as long as the page is open.
  }
  tell();
}

export function useSettings(): BrowserSettings {
  return useSyncExternalStore(onSettings, currentSettings);
}

export function onSettings(listener: () => void): () => void {
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
