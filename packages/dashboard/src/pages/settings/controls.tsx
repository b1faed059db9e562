import { type ReactNode, useId } from "react";

export interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: Readonly<Record<Value, string>>;
  readonly onChange: (value: Value) => void;
}

export function ChoiceControl<Value extends string>({ label, value, choices, onChange }: ChoiceProps<Value>): ReactNode {
  const id = useId();
  return (
    <p className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value as Value)}>
        {Object.entries<string>(choices).map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
    </p>
  );
}

export interface ToggleProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

export function ToggleControl({ label, isOn, onChange }: ToggleProps): ReactNode {
  return (
    <p className="toggle">
      <label>
        <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onChange(currentTarget.checked)} /> {label}
      </label>
    </p>
  );
}

export interface RangeProps {
  readonly label: string;
  readonly value: number;
  readonly from: number;
  readonly to: number;
  readonly step: number;
  readonly onChange: (value: number) => void;
}

export function RangeControl({ label, value, from, to, step, onChange }: RangeProps): ReactNode {
  const id = useId();
  return (
    <p className="field">
      <label htmlFor={id}>{`${label}: ${value}`}</label>
      <input
        id={id}
        type="range"
        min={from}
        max={to}
        step={step}
        value={value}
        onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
      />
    </p>
  );
}
