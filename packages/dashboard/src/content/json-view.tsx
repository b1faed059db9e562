import { type ReactNode, useMemo } from "react";
import { LongText } from "./long-text.tsx";
import { VisibleText } from "./visible-text.tsx";

export interface JsonViewProps {
  readonly value: unknown;
  readonly most?: number;
}

const MAX_NODES = 4000;
const NAME = /^(\s*)("(?:[^"\\]|\\.)*"):/;

/** A value as indented JSON. Line breaks in its texts stay escaped: every line break here comes from the formatting. */
export function JsonView({ value, most = MAX_NODES }: JsonViewProps): ReactNode {
  const text = useMemo(() => JSON.stringify(value, null, 2) ?? "nothing", [value]);
  return (
    <LongText text={text} most={most}>
      {(shown) => (
        <pre className="code-block json">
          <code>
            {shown.split("\n").map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text, which do not move
              <JsonLine key={index} line={line} />
            ))}
          </code>
        </pre>
      )}
    </LongText>
  );
}

function JsonLine({ line }: { readonly line: string }): ReactNode {
  const [all = "", indent = "", name = ""] = NAME.exec(line) ?? [];
  return (
    <>
      {indent}
      {name === "" ? null : (
        <span className="json-name">
          <VisibleText text={name} as="code" />
        </span>
      )}
      {name === "" ? null : ":"}
      <VisibleText text={line.slice(all.length)} as="code" />
      {"\n"}
    </>
  );
}
