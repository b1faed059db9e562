import { type FormEvent, type HTMLInputAutoCompleteAttribute, type ReactNode, useId, useState } from "react";

export interface FormProps {
  readonly children: ReactNode;
  readonly submit: string;
  readonly onSubmit: (values: (name: string) => string) => Promise<void>;
}

/** A form that shows errors next to the field and cannot be submitted twice. */
export function Form({ children, submit, onSubmit }: FormProps): ReactNode {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const data = new FormData(event.currentTarget);
    setBusy(true);
    setProblem(undefined);
    onSubmit((name) => String(data.get(name) ?? ""))
      .catch((error: unknown) => setProblem(error instanceof Error ? error.message : "The action failed. Try again."))
      .finally(() => setBusy(false));
  };
  return (
    <form className="form" onSubmit={send}>
      {children}
      <p className="problem" role="alert">
        {problem}
      </p>
      <button type="submit" className="button primary" aria-disabled={isBusy}>
        {submit}
      </button>
    </form>
  );
}

export interface TextInputProps {
  readonly label: string;
  readonly name: string;
  readonly type?: "text" | "password";
  readonly about?: string;
  readonly value?: string;
  readonly isRequired?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly autoComplete?: HTMLInputAutoCompleteAttribute;
}

export function TextInput({
  label,
  name,
  type = "text",
  about,
  value,
  isRequired = true,
  autoComplete = "off",
  ...lengths
}: TextInputProps): ReactNode {
  const id = useId();
  return (
    <p className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name={name}
        type={type}
        required={isRequired}
        defaultValue={value}
        autoComplete={autoComplete}
        autoCapitalize="none"
        spellCheck={false}
        aria-describedby={about === undefined ? undefined : `${id}-about`}
        {...lengths}
      />
      {about === undefined ? null : <small id={`${id}-about`}>{about}</small>}
    </p>
  );
}
