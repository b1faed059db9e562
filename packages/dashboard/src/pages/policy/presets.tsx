import { PRESET_CHOICES, presetText } from "@earshot/policy";
import { type ReactNode, useId } from "react";

/** Beginnings to choose from, by number as `earshot init` offers them. */
export function Presets({
  isOpen,
  onChoose,
}: {
  readonly isOpen: boolean;
  readonly onChoose: (text: string, name: string) => void;
}): ReactNode {
  const id = useId();
  return (
    <details className="presets" open={isOpen}>
      <summary>Begin with a preset</summary>
      <p id={id} className="soft">
        It takes the place of what stands in the editor. Nothing is written before you save.
      </p>
      <ol className="preset-list">
        {PRESET_CHOICES.map((preset, index) => (
          <li key={preset.name} className="preset">
            <p>
              <strong>{preset.name}</strong>
              {`: ${preset.does}.`}
            </p>
            <button type="button" className="button" aria-describedby={id} onClick={() => onChoose(presetText(preset), preset.name)}>
              {`Use ${index + 1}: ${preset.name}`}
            </button>
          </li>
        ))}
      </ol>
    </details>
  );
}
