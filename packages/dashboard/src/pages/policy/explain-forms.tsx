import { type FormEvent, type ReactNode, useId, useState } from "react";

export interface ExplainCommandFormProps {
  readonly command: string;
  readonly cwd: string;
  readonly onExplain: (command: string, cwd: string) => void;
}

/** A shell command and its folder. */
export function ExplainCommandForm({ command, cwd, onExplain }: ExplainCommandFormProps): ReactNode {
  const id = useId();
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    onExplain(String(data.get("command") ?? ""), String(data.get("cwd") ?? ""));
  };
  return (
    <form className="explain-form" onSubmit={send}>
      <p className="field">
        <label htmlFor={`${id}-command`}>A shell command</label>
        <input
          id={`${id}-command`}
          name="command"
          defaultValue={command}
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </p>
      <p className="field">
        <label htmlFor={`${id}-cwd`}>In the folder</label>
        <input
          id={`${id}-cwd`}
          name="cwd"
          defaultValue={cwd}
          placeholder="/home/me/shop"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </p>
      <button type="submit" className="button primary">
        Explain the command
      </button>
    </form>
  );
}

/** Any other input for the rules, as JSON. */
export function ExplainPayloadForm({ onExplain }: { readonly onExplain: (payload: object) => void }): ReactNode {
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("payload") ?? "");
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("This is not a JSON object.");
      setProblem(undefined);
      onExplain(value);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "This is not JSON.");
    }
  };
  return (
    <details className="presets">
      <summary>Other input: an event, or the payload of an agent's hook</summary>
      <form onSubmit={send}>
        <p className="field payload-field">
          <label htmlFor={id}>As JSON</label>
          <textarea
            id={id}
            name="payload"
            rows={6}
            spellCheck={false}
            autoCapitalize="none"
            required
            placeholder='{"tool": "Edit", "input": {"file_path": ".env"}, "cwd": "/home/me/shop"}'
          />
        </p>
        {problem === undefined ? null : <p className="problem">{problem}</p>}
        <button type="submit" className="button">
          Explain the JSON
        </button>
      </form>
    </details>
  );
}
