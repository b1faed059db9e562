import type { Sound } from "@earshot/announcer";
import { type ReactNode, useState } from "react";
import { tellRegion } from "../../announce/regions.ts";
import { SOUND_NAMES, type SoundState } from "../../announce/sounds.ts";
import { useListening } from "../../announce/use-listening.ts";
import { changeSettings, useSettings } from "../../settings.ts";
import { Range, Toggle } from "./controls.tsx";

const STATES: Readonly<Record<SoundState, string>> = {
  ready: "",
  blocked: "The browser blocks sounds until you press a key or click on a page of Earshot. Do it again after a reload.",
  none: "This browser cannot make sounds.",
};

/** Short sounds before important announcements. Each can be tested; a browser that blocks sounds is reported. */
export function SoundSettings(): ReactNode {
  const sounds = useListening()?.mouth.sounds;
  const { sounds: areOn, volume } = useSettings();
  const [note, setNote] = useState<string>();
  const tell = (words: string) => {
    setNote(words);
    tellRegion("polite", words);
  };
  const play = async (sound: Sound) => {
    const wasHeard = await sounds?.play(sound, volume);
    if (wasHeard === true) tell(`Played: ${SOUND_NAMES[sound]}. If you heard nothing, the tab or the system is muted.`);
    else
      tell(`Nothing was played. ${STATES[sounds?.state ?? "none"]} Sounds may also be forbidden for this site in the browser's settings.`);
  };
  const turn = (isOn: boolean) => {
    changeSettings({ sounds: isOn });
    if (isOn) void sounds?.wake();
  };
  const state = sounds?.state ?? "ready";
  return (
    <>
      <h3>Sounds</h3>
      <Toggle label="Play a sound for requests, failures, finished agents, and a lost guard" isOn={areOn} onChange={turn} />
      <Range
        label="Loudness of sounds and voice, in percent"
        value={volume}
        from={0}
        to={100}
        step={5}
        onChange={(value) => changeSettings({ volume: value })}
      />
      <p className="buttons">
        {Object.entries(SOUND_NAMES).map(([sound, words]) => (
          <button key={sound} type="button" className="button" onClick={() => void play(sound as Sound)}>
            {`Play: ${words}`}
          </button>
        ))}
      </p>
      {areOn && state !== "ready" && note === undefined ? <p className="problem">{STATES[state]}</p> : null}
      {note === undefined ? null : <p className="soft">{note}</p>}
    </>
  );
}
