import type { ReactNode } from "react";
import { MutedList } from "../../announce/hearing-controls.tsx";
import { changeSettings, type Settings, useSettings } from "../../settings.ts";
import { WORD_LANGUAGES, wordLanguage } from "../../words/word-languages.ts";
import { Choice, Range, Toggle } from "./controls.tsx";
import { DesktopNotes } from "./desktop-notes.tsx";
import { languageName } from "./language-name.ts";
import { SoundSettings } from "./sound-settings.tsx";
import { VoiceSettings } from "./voice-settings.tsx";

/** What one hears, how, and of whom. */
export function Hearing(): ReactNode {
  const settings = useSettings();
  const set =
    <Name extends keyof Settings>(name: Name) =>
    (value: Settings[Name]) =>
      changeSettings({ [name]: value });
  return (
    <section aria-labelledby="hear-title">
      <h2 id="hear-title">What you hear</h2>
      <p className="soft">
        Of all tabs the one that you used last speaks. What is critical is always told: requests, failed sessions, a lost guard.
      </p>
      <Toggle label="Announce what happens to screen readers" isOn={settings.announces} onChange={set("announces")} />
      <Toggle label="Quiet: only what is critical" isOn={settings.quiet} onChange={set("quiet")} />
      {WORD_LANGUAGES.length < 2 ? null : (
        <Choice
          label="Language of announcements"
          value={wordLanguage(settings.wordsIn)}
          choices={Object.fromEntries(WORD_LANGUAGES.map((language) => [language, languageName(language)]))}
          onChange={set("wordsIn")}
        />
      )}
      <Choice
        label="How long the sentences are"
        value={settings.verbosity}
        choices={{ terse: "terse", normal: "normal", detailed: "detailed" }}
        onChange={set("verbosity")}
      />
      <Choice
        label="How much is told"
        value={settings.load}
        choices={{
          low: "little: what is critical, answers and ends",
          medium: "medium: also what agents do",
          high: "everything: also what they think",
        }}
        onChange={set("load")}
      />
      <Range label="Words a minute" value={settings.paceWpm} from={60} to={450} step={10} onChange={set("paceWpm")} />
      <VoiceSettings />
      <SoundSettings />
      <DesktopNotes />
      <h3>Who is silent</h3>
      {settings.muted.length === 0 && settings.follow === "" ? (
        <p>Nobody is muted. “Listening”, on every page, mutes sessions, agents and projects.</p>
      ) : null}
      <MutedList />
    </section>
  );
}
