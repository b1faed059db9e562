import { describeItem } from "@earshot/narrate";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from "react";
import { PAGE_VOICE } from "../../words/page-voice.ts";
import { clockTime } from "./clock-time.ts";
import type { TimelineRow } from "./rows.ts";

export interface ScrubberProps {
  readonly rows: readonly TimelineRow[];
  readonly extent: { readonly from: number; readonly to: number };
  readonly moment: number | undefined;
  readonly onMoment: (moment: number | undefined) => void;
  /** Content beside the buttons. */
  readonly children: ReactNode;
}

const FAR = 10;
/** Playback is this many times faster than real time; each step is bounded by `SHORTEST_MS` and `LONGEST_MS`. */
const FASTER = 8;
const SHORTEST_MS = 250;
const LONGEST_MS = 1500;

/** A slider through the items: keys move by item, the pointer to any moment. */
export function Scrubber({ rows, extent, moment, onMoment, children }: ScrubberProps): ReactNode {
  const id = useId();
  const [isPlaying, setPlaying] = useState(false);
  const last = rows.length - 1;
  const index = moment ?? last;
  const row = rows[index];
  const goTo = (wanted: number) => onMoment(wanted >= last ? undefined : Math.max(0, wanted));

  // biome-ignore lint/correctness/useExhaustiveDependencies: one step for each moment
  useEffect(() => {
    if (!isPlaying) return;
    if (moment === undefined) {
      setPlaying(false);
      return;
    }
    const gap = ((rows[moment + 1]?.at ?? 0) - (rows[moment]?.at ?? 0)) / FASTER;
    const timer = setTimeout(() => goTo(moment + 1), Math.min(LONGEST_MS, Math.max(SHORTEST_MS, gap)));
    return () => clearTimeout(timer);
  }, [isPlaying, moment, rows]);

  const press = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: index + 1,
      ArrowUp: index + 1,
      ArrowLeft: index - 1,
      ArrowDown: index - 1,
      PageUp: index + FAR,
      PageDown: index - FAR,
      Home: 0,
      End: last,
    };
    const wanted = steps[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    setPlaying(false);
    goTo(wanted);
  };
  return (
    <>
      <label htmlFor={id} className="told">
        Replay up to
      </label>
      <input
        id={id}
        className="scrubber"
        type="range"
        min={extent.from}
        max={extent.to}
        step="any"
        value={moment === undefined ? extent.to : (row?.at ?? extent.to)}
        aria-valuetext={row === undefined ? undefined : inWords(row, index, rows.length)}
        onKeyDown={press}
        onChange={({ currentTarget }) => {
          setPlaying(false);
          const at = Number(currentTarget.value);
          goTo(at >= extent.to ? last : rows.findLastIndex((one) => one.at <= at));
        }}
      />
      <div className="strip-foot">
        <div className="replay-buttons">
          <button
            type="button"
            className="small-button"
            onClick={() => {
              if (!isPlaying && moment === undefined) onMoment(0);
              setPlaying(!isPlaying);
            }}
          >
            {isPlaying ? "Pause the replay" : "Replay"}
          </button>
          <button type="button" className="small-button" aria-disabled={moment === undefined} onClick={() => onMoment(undefined)}>
            Show all again
          </button>
        </div>
        {children}
      </div>
    </>
  );
}

function inWords({ at, item }: TimelineRow, index: number, count: number): string {
  const { title, subject } = describeItem(item, PAGE_VOICE);
  const about = subject === undefined ? "" : ` ${subject.text.slice(0, 100)}`;
  return `${clockTime(at)}, item ${index + 1} of ${count}: ${title}${about}`;
}
