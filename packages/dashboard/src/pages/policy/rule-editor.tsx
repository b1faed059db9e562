import type { PolicyCheck } from "@earshot/hub";
import { type ReactNode, type RefObject, useId, useImperativeHandle, useRef } from "react";
import { countEditorLines, restOfLine } from "./place-in-text.ts";
import { inShort } from "./use-check.ts";

export interface EditorHandle {
  readonly goTo: (line: number, column: number) => void;
  readonly focus: () => void;
}

export interface RuleEditorProps {
  readonly ref: RefObject<EditorHandle | null>;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly label: string;
  /** Check result of this text; undefined while it is being checked. */
  readonly check: PolicyCheck | undefined;
  readonly own: string;
}

const FEWEST_ROWS = 10;
const MAX_ROWS = 26;
/** Number of lines shown above the line that was jumped to. */
const ABOVE = 4;

/** A plain text area with line numbers. */
export function RuleEditor({ ref, text, onChange, label, check, own }: RuleEditorProps): ReactNode {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const numbers = useRef<HTMLDivElement>(null);
  useImperativeHandle(ref, () => ({
    goTo: (line, column) => {
      const element = area.current;
      if (element === null) return;
      const [start, end] = restOfLine(element.value, line, column);
      element.focus();
      element.setSelectionRange(start, end);
      const rowPx = element.scrollHeight / countEditorLines(element.value);
      element.scrollTop = Math.max(0, (line - 1 - ABOVE) * rowPx);
      element.scrollLeft = 0;
    },
    focus: () => area.current?.focus(),
  }));
  const lines = countEditorLines(text);
  const marks = new Map<number, "error" | "warning">();
  for (const { file, line, severity } of check?.troubles ?? []) {
    if (file === own && marks.get(line) !== "error") marks.set(line, severity);
  }
  const isWrong = check?.ok === false;
  return (
    <div className="editor">
      <label htmlFor={id}>{label}</label>
      <div className={isWrong ? "editor-box wrong" : "editor-box"}>
        <div ref={numbers} className="editor-lines" aria-hidden="true">
          {Array.from({ length: lines }, (_, index) => {
            const mark = marks.get(index + 1);
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line's number is its name
              <div key={index} className={mark === undefined ? undefined : `line-${mark}`}>
                {index + 1}
              </div>
            );
          })}
        </div>
        <textarea
          id={id}
          ref={area}
          value={text}
          wrap="off"
          rows={Math.min(MAX_ROWS, Math.max(FEWEST_ROWS, lines + 1))}
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          autoCorrect="off"
          aria-invalid={isWrong}
          aria-describedby={`${id}-state`}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          onScroll={({ currentTarget }) => {
            if (numbers.current !== null) numbers.current.scrollTop = currentTarget.scrollTop;
          }}
        />
      </div>
      <p id={`${id}-state`} className={isWrong ? "editor-state bad" : "editor-state soft"}>
        {check === undefined ? "Looking." : inShort(check)}
      </p>
    </div>
  );
}
