import type { Listed, SessionGrade, SessionView } from "@earshot/hub";
import { agentName, formatCount, protocolName } from "@earshot/narrate";
import { type ReactNode, useEffect, useId, useState } from "react";
import { type HubProblem, requestAsDevice } from "../../hub/request-as-device.ts";
import { useHubRead } from "../../hub/use-hub.ts";
import { PageLink } from "../../parts/link.tsx";
import { OnlySession } from "../../parts/only-session.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { hrefOf, refineQuery, usePageLocation } from "../../route.ts";

/**
 * How well live sessions follow the rules of their protocols, rule by rule: `?session=` selects one session, `?rule=` the sessions that
 * violate a rule.
 */
// biome-ignore lint/style/noDefaultExport: pages are loaded when they are opened, and React asks for a default export
export default function CheckPage(): ReactNode {
  const { query } = usePageLocation();
  const id = useId();
  const session = query.get("session") ?? "";
  const rule = query.get("rule") ?? "";
  const { sessions, problem } = useChecked(session, rule);
  return (
    <>
      <h1>Protocol health</h1>
      <p className="soft">
        How well the latest sessions follow the rules of their protocols. To check a recording, use <code>earshot check FILE</code>;{" "}
        <code>earshot check explain RULE</code> explains a rule.
      </p>
      <search aria-label="Sessions shown" className="filters">
        <label htmlFor={id}>Rule</label>
        <input
          id={id}
          value={rule}
          placeholder="any"
          size={34}
          autoCapitalize="none"
          spellCheck={false}
          onChange={({ currentTarget }) => refineQuery({ rule: currentTarget.value })}
        />
      </search>
      {session === "" ? null : <OnlySession session={session} all={hrefOf("check", { rule })} />}
      <ProblemNote problem={problem} />
      <section aria-label="Sessions" className="after-filters">
        {sessions === undefined && problem === undefined ? <p className="soft">Loading.</p> : null}
        {sessions?.length === 0 ? (
          <p>{rule === "" ? "No sessions yet." : "None of the latest 100 sessions broke a rule of this kind."}</p>
        ) : null}
        <ul className="rows">
          {sessions?.map((one) => (
            <CheckedSession key={`${one.key} ${session}`} session={one} isOpened={session !== "" || rule !== ""} rule={rule} />
          ))}
        </ul>
      </section>
    </>
  );
}

const GRADES = {
  A: { words: "A: no finding", tone: "good" },
  B: { words: "B: notes only", tone: "good" },
  C: { words: "C: warnings", tone: "warn" },
  D: { words: "D: errors", tone: "bad" },
} as const;

interface CheckedSessionProps {
  readonly session: SessionView;
  /** Whether its rules are expanded initially. */
  readonly isOpened: boolean;
  /** Part of the name of the linked rule. */
  readonly rule: string;
}

/** Conformance of one session, with details per rule on request. */
function CheckedSession({ session, isOpened, rule }: CheckedSessionProps): ReactNode {
  const { key, agent, id, protocol, counts } = session;
  const [isOpen, setOpen] = useState(isOpened);
  const isShown = isOpen && counts.flags > 0;
  const { answer: grade, problem } = useHubRead<SessionGrade>(isShown ? `/api/sessions/${key}/grade` : undefined, {
    changes: ({ entries }) => entries.some((entry) => entry.session === id),
    everyMs: 3000,
  });
  const name = `${agentName(agent)}, ${protocolName(protocol)}`;
  return (
    <li className="row">
      <h2 className="row-title">
        <PageLink href={hrefOf("session", key)}>{name}</PageLink>{" "}
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

interface RuleTableProps {
  readonly grade: SessionGrade;
  readonly session: number;
  /** Part of the name of the linked rule. */
  readonly wanted: string;
}

/** The violated rules, with count and first occurrence. */
function RuleTable({ grade, session, wanted }: RuleTableProps): ReactNode {
  return (
    <div className="wide">
      <table>
        <caption className="told">Broken rules</caption>
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
                <PageLink
                  href={hrefOf("session", session, { at: firstPosition })}
                  aria-label={`First time that ${rule} was broken, at ${firstPosition}`}
                >
                  {`#${firstPosition}`}
                </PageLink>
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

interface Checked {
  /** Undefined while loading. */
  readonly sessions: readonly SessionView[] | undefined;
  readonly problem: HubProblem | undefined;
}

/**
 * Returns the sessions to show: the latest ones, or the one with the given key. With a rule, only sessions that violate a rule whose name
 * contains it.
 */
function useChecked(key: string, rule: string): Checked {
  const heard = { changes: (news: { readonly entries: readonly unknown[] }) => news.entries.length > 0, everyMs: 3000 };
  const latest = useHubRead<Listed<SessionView>>(key === "" ? "/api/sessions?limit=100" : undefined, heard);
  const one = useHubRead<SessionView>(key === "" ? undefined : `/api/sessions/${encodeURIComponent(key)}`, heard);
  const found = key === "" ? latest.answer?.items : one.answer === undefined ? undefined : [one.answer];
  // A single session is shown completely, with the rule marked.
  const breakers = useBreakers(key === "" && rule !== "" ? found : undefined, rule);
  return { sessions: key === "" && rule !== "" ? breakers : found, problem: key === "" ? latest.problem : one.problem };
}

/** Reads the violations of one session at a time to limit the load on the hub. */
function useBreakers(sessions: readonly SessionView[] | undefined, rule: string): readonly SessionView[] | undefined {
  const [broken, setBroken] = useState<ReadonlyMap<number, Known>>(new Map());
  const flagged = sessions?.filter(({ counts }) => counts.flags > 0);
  const next = flagged?.find(({ key, counts }) => broken.get(key)?.flags !== counts.flags);
  const [nextKey, flags] = [next?.key, next?.counts.flags ?? 0];
  useEffect(() => {
    if (nextKey === undefined) return;
    let isGone = false;
    const keep = (rules: readonly string[]) => {
      if (!isGone) setBroken((before) => new Map(before).set(nextKey, { flags, rules }));
    };
    requestAsDevice<SessionGrade>("GET", `/api/sessions/${nextKey}/grade`).then(
      (grade) => keep(grade.rules.map((one) => one.rule)),
      () => keep([]), // removed meanwhile, or the hub is away: the list is read again then
    );
    return () => {
      isGone = true;
    };
  }, [nextKey, flags]);
  const isKnown = flagged?.every(({ key }) => broken.has(key)) === true;
  return isKnown ? flagged?.filter(({ key }) => broken.get(key)?.rules.some((one) => one.includes(rule)) === true) : undefined;
}

interface Known {
  /** Number of findings at the time of the read. */
  readonly flags: number;
  readonly rules: readonly string[];
}
