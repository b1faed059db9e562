import { type ReactNode, useId } from "react";

export interface SuggestFieldProps {
  readonly label: string;
  readonly value: string;
  readonly suggestions: readonly string[];
  readonly onChange: (value: string) => void;
}

/** A text field with suggestions from the browser; it accepts any other value. */
export function SuggestField({ label, value, suggestions, onChange }: SuggestFieldProps): ReactNode {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="search"
        list={`${id}-list`}
        value={value}
        placeholder="any"
        autoComplete="off"
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <datalist id={`${id}-list`}>
        {suggestions.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
