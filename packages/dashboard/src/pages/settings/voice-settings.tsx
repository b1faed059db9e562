import { type ReactNode, useState, useSyncExternalStore } from "react";
import { defaultLanguageFor } from "../../announce/announcement-output.ts";
import { announceInRegion } from "../../announce/regions.ts";
import { useAnnouncer } from "../../announce/use-announcer.ts";
import { type BrowserVoice, findBrowserVoice, primarySubtag } from "../../announce/voice.ts";
import { changeBrowserSettings, useSettings } from "../../settings.ts";
import { wordLanguage } from "../../words/word-languages.ts";
import { ChoiceControl, ToggleControl } from "./controls.tsx";
import { languageName } from "./language-name.ts";

const SAMPLE = "Claude Code in shop asks: may I run the tests?";
const SAMPLES: Readonly<Record<string, string>> = { en: SAMPLE, de: "Claude Code in shop fragt: Darf ich die Tests ausführen?" };
const NO_VOICES: readonly SpeechSynthesisVoice[] = [];

/** The browser's own voices: whether speech is on, and the voice for each language. */
export function VoiceSettings(): ReactNode {
  const voice = useAnnouncer()?.output.voice;
  const { speaks, language, wordsIn, voices, paceWpm, volume } = useSettings();
  const ours = wordLanguage(wordsIn);
  const all = useVoices(voice);
  const [note, setNote] = useState<string>();
  const languages = [...new Set(all.map(({ lang }) => primarySubtag(lang)))].sort();
  const shown = [...new Set([ours, primarySubtag(defaultLanguageFor(language)), ...Object.keys(voices)])].filter((one) =>
    languages.includes(one),
  );
  const tryIt = () => {
    const words = all.length === 0 ? "This browser has no voices, so nothing was spoken." : "That was the voice.";
    const spoken = voice?.speak([{ text: SAMPLES[ours] ?? SAMPLE, language: SAMPLES[ours] === undefined ? "en" : ours }], {
      paceWpm,
      volume,
      language: defaultLanguageFor(language),
      voices,
    });
    void Promise.resolve(all.length === 0 ? undefined : spoken).then(() => {
      setNote(words);
      announceInRegion("polite", words);
    });
  };
  return (
    <>
      <h3>Voice of the browser</h3>
      <ToggleControl
        label="Speak with the browser's own voice"
        isOn={speaks}
        onChange={(isOn) => changeBrowserSettings({ speaks: isOn })}
      />
      <ChoiceControl
        label="Language of texts without a declared language"
        value={language}
        choices={{
          system: `as the browser (${languageName(navigator.language)})`,
          ...Object.fromEntries(
            [...new Set([...languages, ...navigator.languages.map(primarySubtag)])].map((one) => [one, languageName(one)]),
          ),
        }}
        onChange={(value) => changeBrowserSettings({ language: value })}
      />
      {shown.map((one) => (
        <ChoiceControl
          key={one}
          label={`Voice for ${languageName(one)}`}
          value={findBrowserVoice(one, all, voices)?.voiceURI ?? ""}
          choices={Object.fromEntries(
            all.filter(({ lang }) => primarySubtag(lang) === one).map(({ voiceURI, name, lang }) => [voiceURI, `${name} (${lang})`]),
          )}
          onChange={(value) => changeBrowserSettings({ voices: { ...voices, [one]: value } })}
        />
      ))}
      {all.length === 0 ? <p className="soft">This browser has no voices of its own. You may need to install system voices.</p> : null}
      <p className="buttons">
        <button type="button" className="button" onClick={tryIt}>
          Try the voice
        </button>
      </p>
      {note === undefined ? null : <p className="soft">{note}</p>}
    </>
  );
}

/** Some browsers list voices after a delay and return a new array each time: an equal list keeps its identity. */
function useVoices(voice: BrowserVoice | undefined): readonly SpeechSynthesisVoice[] {
  const names = useSyncExternalStore(
    (listener) => voice?.onList(listener) ?? (() => {}),
    () => (voice?.list() ?? []).map(({ voiceURI }) => voiceURI).join("\n"),
  );
  return names === "" ? NO_VOICES : (voice?.list() ?? NO_VOICES);
}
