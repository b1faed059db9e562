import { formatNumber } from "@earshot/narrate";
import { isObject, type JsonValue } from "@earshot/protocol/json";
import type { ReactNode } from "react";
import { ShownLines, ShownText } from "./shown-text.tsx";

const DEEPEST = 12;
const MOST = 200;

/** A value as names and what they hold, without brackets: easier to read, and to listen to, than JSON. Bounded. */
export function ValueView({
  value,
  name,
  depth = 0,
}: {
  readonly value: JsonValue;
  readonly name: string;
  readonly depth?: number;
}): ReactNode {
  if (typeof value === "string") {
    if (value === "") return <span className="soft">empty</span>;
    return value.includes("\n") || value.length > 200 ? <ShownLines text={value} what={name} /> : <ShownText text={value} />;
  }
  if (typeof value !== "object" || value === null) return <code>{JSON.stringify(value)}</code>;
  const members = Array.isArray(value) ? value.map((one, index) => [String(index + 1), one] as const) : Object.entries(value);
  if (members.length === 0) return <span className="soft">empty</span>;
  if (depth >= DEEPEST || !(Array.isArray(value) || isObject(value))) return <ShownLines text={JSON.stringify(value)} what={name} />;
  return (
    <dl className="value-list">
      {members.slice(0, MOST).map(([member, one]) => (
        <div key={member}>
          <dt>
            <ShownText text={member} />
          </dt>
          <dd>
            <ValueView value={one ?? null} name={member} depth={depth + 1} />
          </dd>
        </div>
      ))}
      {members.length <= MOST ? null : (
        <div>
          <dt>{`${formatNumber(members.length - MOST)} more`}</dt>
        </div>
      )}
    </dl>
  );
}
