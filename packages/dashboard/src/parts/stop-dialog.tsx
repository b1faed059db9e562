import type { ControlView, RequestView } from "@earshot/hub";
import { type ReactNode, type RefObject, useId, useRef } from "react";
import { announceInRegion, openModal } from "../announce/regions.ts";
import { requestAsDevice } from "../hub/request-as-device.ts";
import { Form, TextInput } from "./form.tsx";

export type SessionRef = Pick<RequestView, "session" | "protocol" | "source">;

export function liftSession(session: SessionRef): Promise<ControlView> {
  return requestAsDevice("POST", pathOf(session, "lift"), {});
}

function pathOf({ session, protocol, source }: SessionRef, what: string): string {
  return `/api/sessions/${encodeURIComponent(session)}/${what}?${new URLSearchParams({ protocol, source })}`;
}

/** The dialog, and the function that opens it. */
export function useStopDialog(): { readonly dialog: RefObject<HTMLDialogElement | null>; readonly question: () => void } {
  const dialog = useRef<HTMLDialogElement>(null);
  return { dialog, question: () => dialog.current !== null && openModal(dialog.current) };
}

export interface StopDialogProps {
  readonly ref: RefObject<HTMLDialogElement | null>;
  /** Name of the agent. */
  readonly name: string;
  readonly session: SessionRef;
  readonly onStopped: () => void;
}

/** Asks for confirmation before a session is stopped and explains the effect, identically on every page. */
export function StopDialog({ ref, name, session, onStopped }: StopDialogProps): ReactNode {
  const id = useId();
  return (
    <dialog ref={ref} className="stop-dialog" aria-labelledby={id}>
      <h2 id={id}>{`Stop ${name}?`}</h2>
      <p>
        Every hook of this session is answered with stop, or with deny where the agent cannot be stopped, until an approver lets it
        continue. A tool call that runs already is not ended.
      </p>
      <Form
        submit={`Stop ${name}`}
        onSubmit={async (value) => {
          const reason = value("reason");
          await requestAsDevice("POST", pathOf(session, "stop"), reason === "" ? {} : { reason });
          ref.current?.close();
          announceInRegion("polite", `${name} is stopped.`);
          onStopped();
        }}
      >
        <TextInput label="Reason (optional, sent to the agent)" name="reason" isRequired={false} maxLength={500} />
      </Form>
      <button type="button" className="button" onClick={() => ref.current?.close()}>
        Do not stop it
      </button>
    </dialog>
  );
}
