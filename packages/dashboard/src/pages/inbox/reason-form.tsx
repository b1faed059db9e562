import { type FormEvent, type ReactNode, useId, useState } from "react";
import { ObjectButton } from "./object-button.tsx";

export interface ReasonFormProps {
  /** "Deny with this reason". */
  readonly submit: string;
  /** What the button is about, for its name. */
  readonly what: string;
  readonly agent: string;
  readonly isBusy: boolean;
  readonly onReason: (reason: string) => void;
}

/** Asks why, in words that the agent is told. */
export function ReasonForm({ submit, what, agent, isBusy, onReason }: ReasonFormProps): ReactNode {
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget).get("reason") ?? "").trim();
    if (reason !== "") onReason(reason);
    else setProblem("No reason is written yet.");
  };
  return (
    <form onSubmit={send}>
      <p className="field wide">
        <label htmlFor={id}>{`Reason, told to ${agent}`}</label>
        <textarea
          id={id}
          name="reason"
          rows={2}
          maxLength={2000}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        />
        {problem === undefined ? null : (
          <small id={`${id}-problem`} className="problem">
            {problem}
          </small>
        )}
      </p>
      <ObjectButton label={submit} what={what} isBusy={isBusy} />
    </form>
  );
}
