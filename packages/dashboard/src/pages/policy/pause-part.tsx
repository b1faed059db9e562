import type { ControlView } from "@earshot/hub";
import { type ReactNode, useId } from "react";
import { announceInRegion } from "../../announce/regions.ts";
import { requestAsDevice } from "../../hub/request-as-device.ts";
import { useMayDecide } from "../../hub/use-hub.ts";
import { Form, TextInput } from "../../parts/form.tsx";
import { ShortTime } from "../../parts/moment.tsx";
import { shortenVisibly } from "../../words/request-words.ts";
import { formatClockTime } from "../../words/times.ts";
import { useUserAction } from "./use-user-action.ts";

const PAUSES = [
  [15, "15 minutes"],
  [30, "30 minutes"],
  [60, "1 hour"],
  [240, "4 hours"],
] as const;

export interface PausePartProps {
  readonly pause: ControlView["pause"];
  readonly onChange: () => void;
}

/** Shows the pause of all rules, and starts or ends it. */
export function PausePart({ pause, onChange }: PausePartProps): ReactNode {
  const mayDecide = useMayDecide();
  const { isBusy, problem, run } = useUserAction();
  const id = useId();
  if (pause !== null) {
    const end = () =>
      void run(async () => {
        await requestAsDevice("POST", "/api/pause", { forMs: 0 });
        announceInRegion("polite", "The pause is over: the rules are active again.");
        onChange();
      });
    return (
      <div className="edge-warn now-part">
        <h3 className="now-title">Paused</h3>
        <p>
          Agents decide everything themselves until <ShortTime at={pause.until} />, as if there were no rules.{" "}
          {`Set by ${shortenVisibly(pause.by, 60)}: ${shortenVisibly(pause.reason, 200)}`}
        </p>
        {mayDecide ? (
          <button type="button" className="button" aria-disabled={isBusy} onClick={end}>
            End the pause
          </button>
        ) : null}
        {problem === undefined ? null : <p className="problem">{problem}</p>}
      </div>
    );
  }
  if (!mayDecide) return null;
  const begin = async (value: (name: string) => string) => {
    const minutes = Number(value("minutes"));
    const { pause: set } = await requestAsDevice<ControlView>("POST", "/api/pause", { forMs: minutes * 60_000, reason: value("reason") });
    announceInRegion("polite", set === null ? "Paused." : `Paused until ${formatClockTime(set.until)}.`);
    onChange();
  };
  return (
    <details className="now-part">
      <summary>Pause all rules for a while</summary>
      <p className="soft">Agents decide everything themselves, as if there were no rules. The pause ends by itself and is recorded.</p>
      <Form submit="Pause all rules" onSubmit={begin}>
        <p className="field">
          <label htmlFor={id}>Duration</label>
          <select id={id} name="minutes" defaultValue="30">
            {PAUSES.map(([minutes, words]) => (
              <option key={minutes} value={minutes}>
                {words}
              </option>
            ))}
          </select>
        </p>
        <TextInput label="Why" name="reason" maxLength={500} />
      </Form>
    </details>
  );
}
