import type { NotifyView } from "@earshot/hub";
import { type ReactNode, useState } from "react";
import { MutedList } from "../../announce/announcer-controls.tsx";
import { announceInRegion } from "../../announce/regions.ts";
import { requestAsDevice } from "../../hub/request-as-device.ts";
import { useHubRead } from "../../hub/use-hub.ts";
import { type BrowserSettings, changeBrowserSettings, useSettings } from "../../settings.ts";
import { WORD_LANGUAGES, wordLanguage } from "../../words/word-languages.ts";
import { ChoiceControl, RangeControl, ToggleControl } from "./controls.tsx";
import { languageName } from "./language-name.ts";
import { SoundSettings } from "./sound-settings.tsx";
import { VoiceSettings } from "./voice-settings.tsx";

/** Settings for announcements: content, channels and sources. */
export function AnnouncementSettings(): ReactNode {
  const settings = useSettings();
  const set =
    <Name extends keyof BrowserSettings>(name: Name) =>
    (value: BrowserSettings[Name]) =>
      changeBrowserSettings({ [name]: value });
  return (
    <section aria-labelledby="hear-title">
      <h2 id="hear-title">Announcements</h2>
      <p className="soft">
        Announcements come from the tab that you used last. Requests, failed sessions and an agent that is no longer gated are always
        announced.
      </p>
      <ToggleControl label="Announce events to screen readers" isOn={settings.announces} onChange={set("announces")} />
      <ToggleControl label="Quiet: only critical announcements" isOn={settings.quiet} onChange={set("quiet")} />
      {WORD_LANGUAGES.length < 2 ? null : (
        <ChoiceControl
          label="Language of announcements"
          value={wordLanguage(settings.wordsIn)}
          choices={Object.fromEntries(WORD_LANGUAGES.map((language) => [language, languageName(language)]))}
          onChange={set("wordsIn")}
        />
      )}
      <ChoiceControl
        label="Sentence length"
        value={settings.verbosity}
        choices={{ terse: "terse", normal: "normal", detailed: "detailed" }}
        onChange={set("verbosity")}
      />
      <ChoiceControl
        label="Amount of announcements"
        value={settings.load}
        choices={{
          low: "little: critical events, answers and ends",
          medium: "medium: also actions",
          high: "everything: also thoughts",
        }}
        onChange={set("load")}
      />
      <RangeControl label="Words per minute" value={settings.paceWpm} from={60} to={450} step={10} onChange={set("paceWpm")} />
      <VoiceSettings />
      <SoundSettings />
      <DesktopNotes />
      <h3>Muted</h3>
      {settings.muted.length === 0 && settings.follow === "" ? (
        <p>Nothing is muted. “Listening”, on every page, mutes sessions, agents and projects.</p>
      ) : null}
      <MutedList />
    </section>
  );
}

/** Whether the hub itself shows desktop notifications for requests on its machine, independent of open tabs. */
function DesktopNotes(): ReactNode {
  const { answer } = useHubRead<NotifyView>("/api/notify");
  const [note, setNote] = useState<string>();
  const tell = (words: string) => {
    setNote(words);
    announceInRegion("polite", words);
  };
  const tryIt = () =>
    void requestAsDevice<NotifyView>("POST", "/api/notify/test", {}).then(
      ({ why }) => tell(why === null ? "A test notification was shown on the desktop of the hub's machine." : `Nothing was shown. ${why}`),
      (error: unknown) => tell(error instanceof Error ? error.message : "The action failed. Try again."),
    );
  if (answer === undefined) return null;
  const { way, withdraws, why } = answer;
  return (
    <>
      <h3>Desktop</h3>
      {way === null ? (
        <p>{`The hub does not show desktop notifications. ${why ?? ""}`}</p>
      ) : (
        <>
          <p>
            {`The hub tells requests and a lost guard on the desktop that it runs on, tab or no tab: who and what kind, never the command. ${withdraws ? "What is answered is taken away again." : ""}`}
          </p>
          <p className="soft">{`By ${way}. notify: false in config.yaml switches it off.`}</p>
          {why === null ? null : <p className="problem">{`The last one could not be shown: ${why}`}</p>}
          <p className="buttons">
            <button type="button" className="button" onClick={tryIt}>
              Try it on the desktop
            </button>
          </p>
        </>
      )}
      {note === undefined ? null : <p className="soft">{note}</p>}
    </>
  );
}
