import { type ReactNode, type RefObject, useId } from "react";
import { Form, TextInput } from "../../parts/form.tsx";

export interface StopDialogProps {
  readonly ref: RefObject<HTMLDialogElement | null>;
  readonly name: string;
  readonly onStop: (reason: string) => Promise<void>;
}

/** Asks before a session is stopped, and says what that means. */
export function StopDialog({ ref, name, onStop }: StopDialogProps): ReactNode {
  const id = useId();
  return (
    <dialog ref={ref} className="stop-dialog" aria-labelledby={id}>
      <h2 id={id}>{`Stop ${name}?`}</h2>
      <p>
        From now on each of its hooks is answered with stop, or with deny where it cannot be stopped, until somebody lets it go on. What
        runs already is not ended.
      </p>
      <Form
        submit={`Stop ${name}`}
        onSubmit={async (value) => {
          await onStop(value("reason"));
          ref.current?.close();
        }}
      >
        <TextInput label="Why (optional, the agent is told)" name="reason" isRequired={false} maxLength={500} />
      </Form>
      <button type="button" className="button" onClick={() => ref.current?.close()}>
        Do not stop it
      </button>
    </dialog>
  );
}
