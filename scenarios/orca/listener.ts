import { execFileSync } from "node:child_process";
import type { Desktop } from "./desktop.ts";
import type { Orca, SilenceOptions } from "./orca-process.ts";
import { heardIn, type Scene, type Step } from "./transcript.ts";

/** A user with a keyboard and Orca, without a screen. */
export interface Listener {
  readonly scenes: readonly Scene[];
  /** Expected speech that was not heard. */
  readonly missed: readonly string[];
  begin(title: string): void;
  /** Presses a key by its X name and listens to the end. */
  press(key: string, options?: SilenceOptions): Promise<string>;
  /** Presses a key until the speech matches; records a miss if it never does. */
  pressUntil(key: string, wanted: RegExp, most?: number): Promise<string>;
  /** Listens during an event that no key press caused. */
  during(what: string, happens: () => Promise<unknown>, options?: SilenceOptions): Promise<string>;
  /** Requires these in the speech since the scene began. */
  expectHeard(...wanted: readonly RegExp[]): void;
}

/** Names of Orca's manual. */
const KEY_NAMES: Readonly<Record<string, string>> = {
  Return: "Enter",
  space: "Space",
  "ctrl+Home": "Ctrl+Home",
  "shift+h": "Shift+h",
  question: "?",
  "Insert+a": "Orca+a",
};

export function createListener(desktop: Desktop, orca: Orca, onStep: (step: Step) => void): Listener {
  const scenes: Scene[] = [];
  const missed: string[] = [];
  const scene = () => scenes.at(-1) ?? { title: "", steps: [] };
  const listen = async (what: string, happens: () => unknown, options?: SilenceOptions) => {
    const from = orca.spoken().length;
    await happens();
    await orca.untilSilent(from, options);
    const step: Step = { what, said: orca.spoken().slice(from) };
    scene().steps.push(step);
    onStep(step);
    return heardIn([step]);
  };
  const press: Listener["press"] = (key, options) =>
    listen(`[${KEY_NAMES[key] ?? key}]`, () => execFileSync("xdotool", ["key", key], { env: desktop.env }), options);
  return {
    scenes,
    missed,
    begin: (title) => void scenes.push({ title, steps: [] }),
    press,
    async pressUntil(key, wanted, most = 40) {
      for (let presses = 0; presses < most; presses++) {
        const heard = await press(key);
        if (wanted.test(heard)) return heard;
      }
      throw new Error(`${most} times ${key} do not lead to ${wanted}.`);
    },
    during: (what, happens, options) => listen(`(${what})`, happens, { beginsMs: 10_000, silentMs: 2500, ...options }),
    expectHeard(...wanted) {
      const { title, steps } = scene();
      const heard = heardIn(steps);
      for (const one of wanted) if (!one.test(heard)) missed.push(`${title}: ${one.source}`);
    },
  };
}
