import type { Grade, SessionView } from "@earshot/hub";
import { agentName, formatCount, protocolName } from "@earshot/narrate";
import { type ReactNode, useState } from "react";
import { useRead } from "../../hub/use-hub.ts";
import { Link } from "../../parts/link.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { hrefOf } from "../../route.ts";
import { RuleTable } from "./rule-table.tsx";

const GRADES = {
  A: { words: "A: no finding", tone: "good" },
  B: { words: "B: notes only", tone: "good" },
  C: { words: "C: warnings", tone: "warn" },
  D: { words: "D: errors", tone: "bad" },
} as const;

export interface CheckedSessionProps {
  readonly session: SessionView;
  /** Whether its rules are shown from the beginning. */
  readonly isOpened: boolean;
  /** Part of the name of the rule that one came for. */
  readonly rule: string;
}

/** How one session keeps the rules; rule by rule for whoever wants to know. */
export function CheckedSession({ session, isOpened, rule }: CheckedSessionProps): ReactNode {
  const { key, agent, id, protocol, counts } = session;
  const [isOpen, setOpen] = useState(isOpened);
  const isShown = isOpen && counts.flags > 0;
  const { answer: grade, problem } = useRead<Grade>(isShown ? `/api/sessions/${key}/grade` : undefined, {
    changes: ({ entries }) => entries.some((entry) => entry.session === id),
    everyMs: 3000,
  });
  const name = `${agentName(agent)}, ${protocolName(protocol)}`;
  return (
    <li className="row">
      <h2 className="row-title">
        <Link href={hrefOf("session", key)}>{name}</Link>{" "}
        {grade === undefined ? null : <span className={`status ${GRADES[grade.grade].tone}`}>{GRADES[grade.grade].words}</span>}
      </h2>
      <p className="facts">
        <span>{id}</span>
        <span>{formatCount(counts.events, "event")}</span>
        <span className={counts.flags === 0 ? "good" : "warn"}>
          {counts.flags === 0 ? "nothing found" : formatCount(counts.flags, "finding")}
        </span>
      </p>
      {counts.flags === 0 ? null : (
        <button type="button" className="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? `Hide the rules for ${name}` : `Show the rules for ${name}`}
        </button>
      )}
      <ProblemNote problem={problem} />
      {isShown && grade !== undefined ? <RuleTable grade={grade} session={key} wanted={rule} /> : null}
    </li>
  );
}
