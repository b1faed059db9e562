import type { Grade, Listed, SessionView } from "@earshot/hub";
import { type ReactNode, useState } from "react";
import { ask } from "../../hub/ask.ts";
import { useRead } from "../../hub/use-hub.ts";
import { Link } from "../../parts/link.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { hrefOf } from "../../route.ts";
import { counted } from "../../words/amounts.ts";
import { agentName, PROTOCOL_NAMES } from "../../words/names.ts";

const GRADES = {
  A: { words: "A: no finding", tone: "good" },
  B: { words: "B: notes only", tone: "good" },
  C: { words: "C: warnings", tone: "warn" },
  D: { words: "D: errors", tone: "bad" },
} as const;

/** How live sessions keep the rules of their protocols, rule by rule. */
// biome-ignore lint/style/noDefaultExport: pages are loaded when they are opened, and React asks for a default export
export default function CheckPage(): ReactNode {
  const heard = { changes: (news: { readonly entries: readonly unknown[] }) => news.entries.length > 0, everyMs: 3000 };
  const sessions = useRead<Listed<SessionView>>("/api/sessions?limit=100", heard);
  const items = sessions.answer?.items ?? [];
  return (
    <>
      <h1 tabIndex={-1}>Check</h1>
      <p className="soft">
        How the latest sessions keep the rules of their protocols, judged as they are heard. A recording is checked with{" "}
        <code>earshot check FILE</code>.
      </p>
      <ProblemNote problem={sessions.problem} />
      {sessions.answer === undefined ? <p className="soft">Loading.</p> : null}
      {sessions.answer !== undefined && items.length === 0 ? <p>No session has been heard yet.</p> : null}
      {items.length === 0 ? null : (
        <ul className="rows">
          {items.map((session) => (
            <CheckedSession key={session.key} session={session} />
          ))}
        </ul>
      )}
    </>
  );
}

function CheckedSession({ session }: { readonly session: SessionView }): ReactNode {
  const { key, agent, id, protocol, counts } = session;
  const [grade, setGrade] = useState<Grade>();
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    setOpen(!isOpen);
    if (!isOpen) void ask<Grade>("GET", `/api/sessions/${key}/grade`).then(setGrade, () => setOpen(false));
  };
  const name = `${agentName(agent)}, ${PROTOCOL_NAMES[protocol]}`;
  return (
    <li className="row">
      <h2 className="row-title">
        <Link href={hrefOf("session", key)}>{name}</Link>{" "}
        {grade === undefined ? null : <span className={`status ${GRADES[grade.grade].tone}`}>{GRADES[grade.grade].words}</span>}
      </h2>
      <p className="facts">
        <span>{id}</span>
        <span>{counted(counts.events, "event")}</span>
        <span className={counts.flags === 0 ? "good" : "warn"}>
          {counts.flags === 0 ? "nothing found" : counted(counts.flags, "finding")}
        </span>
      </p>
      {counts.flags === 0 ? null : (
        <button type="button" className="button" aria-expanded={isOpen} onClick={open}>
          {isOpen ? `Hide the rules for ${name}` : `Show the rules for ${name}`}
        </button>
      )}
      {isOpen && grade !== undefined ? <RuleTable grade={grade} session={key} /> : null}
    </li>
  );
}

function RuleTable({ grade, session }: { readonly grade: Grade; readonly session: number }): ReactNode {
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
            <tr key={rule}>
              <th scope="row">
                <code>{rule}</code>
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
