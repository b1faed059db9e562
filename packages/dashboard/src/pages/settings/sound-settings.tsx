import type { EarconName } from "@earshot/announcer";
import { type ReactNode, useState } from "react";
import { announceInRegion } from "../../announce/regions.ts";
import { SOUND_NAMES, type SoundState } from "../../announce/sounds.ts";
import { useAnnouncer } from "../../announce/use-announcer.ts";
import { changeBrowserSettings, useSettings } from "../../settings.ts";
import { RangeControl, ToggleControl } from "./controls.tsx";

const STATES: Readonly<Record<SoundState, string>> = {
  ready: "",
  blocked: "The browser blocks sounds until you press a key or click on a page of Earshot. Repeat this after each reload.",
  none: "This browser cannot make sounds.",
};

/** Short sounds before important announcements. Each can be tested; a browser that blocks sounds is reported. */
export function SoundSettings(): ReactNode {
  const sounds = useAnnouncer()?.output.sounds;
  const { sounds: areOn, volume } = useSettings();
  const [note, setNote] = useState<string>();
  const tell = (words: string) => {
    setNote(words);
    announceInRegion("polite", words);
  };
  const play = async (sound: EarconName) => {
    const wasHeard = await sounds?.play(sound, volume);
    if (wasHeard === true) tell(`Played: ${SOUND_NAMES[sound]}. If you heard nothing, the tab or the system is muted.`);
    else
      tell(`Nothing was played. ${STATES[sounds?.state ?? "none"]} Sounds may also be forbidden for this site in the browser's settings.`);
  };
  const turn = (isOn: boolean) => {
    changeBrowserSettings({ sounds: isOn });
    if (isOn) void sounds?.wake();
  };
  const state = sounds?.state ?? "ready";
  return (
    <>
      <h3>Sounds</h3>
      <ToggleControl
        label="Play a sound for requests, failures, finished agents, and an agent that is no longer gated"
        isOn={areOn}
        onChange={turn}
      />
      <RangeControl
        label="Volume of sounds and voice, in percent"
        value={volume}
        from={0}
        to={100}
        step={5}
        onChange={(value) => changeBrowserSettings({ volume: value })}
      />
      <p className="buttons">
        {Object.entries(SOUND_NAMES).map(([sound, words]) => (
          <button key={sound} type="button" className="button" onClick={() => void play(sound as EarconName)}>
            {`Play: ${words}`}
          </button>
        ))}
      </p>
      {areOn && state !== "ready" && note === undefined ? <p className="problem">{STATES[state]}</p> : null}
      {note === undefined ? null : <p className="soft">{note}</p>}
    </>
  );
}
