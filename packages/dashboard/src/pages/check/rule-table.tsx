import type { Grade } from "@earshot/hub";
import type { ReactNode } from "react";
import { Link } from "../../parts/link.tsx";
import { hrefOf } from "../../route.ts";

export interface RuleTableProps {
  readonly grade: Grade;
  readonly session: number;
  /** Part of the name of the rule that one came for. */
  readonly wanted: string;
}

/** What was broken, how often, and where first. */
export function RuleTable({ grade, session, wanted }: RuleTableProps): ReactNode {
  return (
    <div className="wide">
      <table>
        <caption className="told">Rules that were broken</caption>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">How bad</th>
            <th scope="col">How often</th>
            <th scope="col">First</th>
          </tr>
        </thead>
        <tbody>
          {grade.rules.map(({ rule, severity, count, firstPosition }) => (
            <tr key={rule} className={isWanted(rule, wanted) ? "wanted" : undefined}>
              <th scope="row">
                <code>{rule}</code>
                {isWanted(rule, wanted) ? <span className="told"> (asked for)</span> : null}
              </th>
              <td className={severity === "error" ? "bad" : severity === "warning" ? "warn" : "soft"}>
                {severity === "info" ? "note" : severity}
              </td>
              <td>{count}</td>
              <td>
                <Link
                  href={hrefOf("session", session, { at: firstPosition })}
                  aria-label={`First time that ${rule} was broken, at ${firstPosition}`}
                >
                  {`#${firstPosition}`}
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function isWanted(rule: string, wanted: string): boolean {
  return wanted !== "" && rule.includes(wanted);
}
