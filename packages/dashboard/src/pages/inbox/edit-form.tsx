import type { Inspection, RequestView } from "@earshot/hub";
import { type FormEvent, type ReactNode, useEffect, useId, useState } from "react";
import { requestAsDevice } from "../../hub/request-as-device.ts";
import { shortenVisibly } from "../../words/request-words.ts";
import { CommandList } from "./command-list.tsx";
import { type EditableValue, editableValuesOf, editOf, type InputEdit } from "./edit-input.ts";
import { ObjectButton } from "./object-button.tsx";

export interface EditFormProps {
  readonly view: RequestView;
  readonly what: string;
  readonly isBusy: boolean;
  readonly onEdit: (edit: InputEdit) => void;
}

/** Edits the input before it is allowed, and shows what would run. */
export function EditForm({ view, what, isBusy, onEdit }: EditFormProps): ReactNode {
  const { asked, terms } = view.card;
  const leaves = editableValuesOf(asked, terms.answers);
  const [fields, setFields] = useState<Readonly<Record<string, string | boolean>>>({});
  const [problem, setProblem] = useState<string>();
  const edit = editOf(leaves, fields);
  const changes = "wrong" in edit ? [] : edit;
  const edited = useEdited(view.id, changes);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if ("wrong" in edit) setProblem(edit.wrong);
    else if (edit.length === 0) setProblem("No changes yet.");
    else onEdit(edit);
  };
  return (
    <form onSubmit={send}>
      {leaves.map((leaf) => (
        <LeafField
          key={leaf.pointer}
          leaf={leaf}
          field={fields[leaf.pointer]}
          onChange={(value) => {
            setProblem(undefined);
            setFields((before) => ({ ...before, [leaf.pointer]: value }));
          }}
        />
      ))}
      {changes.length === 0 ? null : edited.inspection === undefined ? (
        <p className="as-changed soft">{edited.problem ?? "Checking your changes."}</p>
      ) : (
        <Changed inspection={edited.inspection} />
      )}
      {problem === undefined ? null : <p className="problem">{problem}</p>}
      <ObjectButton label="Allow once, with these changes" what={what} isBusy={isBusy} />
    </form>
  );
}

function Changed({ inspection }: { readonly inspection: Inspection }): ReactNode {
  const { irreversible, risk, uninspectable, hidden } = inspection;
  const told = [
    ...(uninspectable === undefined ? [] : [`Cannot be inspected. ${uninspectable}`]),
    ...(irreversible ? ["Cannot be undone."] : []),
    ...(risk === "unknown" ? [] : [`Risk: ${risk}.`]),
    ...(hidden.length === 0 ? [] : [`Hidden in it: ${hidden.join(" ")}`]),
  ];
  return (
    <div className="as-changed">
      <p>
        <strong>With your changes. </strong>
        {told.join(" ")}
      </p>
      <CommandList inspection={inspection} />
    </div>
  );
}

interface LeafFieldProps {
  readonly leaf: EditableValue;
  readonly field: string | boolean | undefined;
  readonly onChange: (value: string | boolean) => void;
}

function LeafField({ leaf: { name, value, isMasked }, field, onChange }: LeafFieldProps): ReactNode {
  const id = useId();
  const label = name === "" ? "The input" : shortenVisibly(name, 80);
  if (isMasked) return <p className="note">{`${label} holds a masked secret and cannot be edited.`}</p>;
  if (typeof value === "boolean") {
    return (
      <p>
        <label className="card-pick">
          <input type="checkbox" checked={(field ?? value) === true} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
          <span>{label}</span>
        </label>
      </p>
    );
  }
  const text = String(field ?? value);
  return (
    <p className="field wide">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        dir="ltr"
        className="code"
        rows={Math.min(12, text.split("\n").length)}
        spellCheck={false}
        autoCapitalize="none"
        value={text}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </p>
  );
}

/** The effect of the edited input: undefined until the hub has inspected exactly this edit. */
interface Edited {
  readonly inspection: Inspection | undefined;
  /** Why the effect cannot be determined. */
  readonly problem: string | undefined;
}

const PAUSE_MS = 250;
const NOTHING: Edited = { inspection: undefined, problem: undefined };

/** Asks the hub to inspect an edited input after typing has paused. A result for another edit is not shown. */
function useEdited(request: string, edit: InputEdit): Edited {
  const wanted = edit.length === 0 ? "" : JSON.stringify({ edit });
  const [read, setRead] = useState<Edited & { readonly of: string }>({ ...NOTHING, of: "" });
  useEffect(() => {
    if (wanted === "") return;
    const stop = new AbortController();
    const look = async () => {
      try {
        const body: object = JSON.parse(wanted);
        const inspection = await requestAsDevice<Inspection>(
          "POST",
          `/api/requests/${encodeURIComponent(request)}/inspect`,
          body,
          stop.signal,
        );
        setRead({ inspection, problem: undefined, of: wanted });
      } catch (error) {
        if (!stop.signal.aborted) setRead({ inspection: undefined, problem: error instanceof Error ? error.message : "", of: wanted });
      }
    };
    const timer = setTimeout(() => void look(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [request, wanted]);
  return read.of === wanted ? read : NOTHING;
}
