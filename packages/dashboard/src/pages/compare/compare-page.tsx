import type { CallView, Listed, SessionView } from "@earshot/hub";
import { describeStatus, formatNumber, formatShortDuration, formatShortMoney, formatTokens } from "@earshot/narrate";
import type { ReactNode } from "react";
import { VisibleText } from "../../content/visible-text.tsx";
import { useHubRead } from "../../hub/use-hub.ts";
import { CopyText } from "../../parts/copy-text.tsx";
import { PageLink } from "../../parts/link.tsx";
import { ShortTime } from "../../parts/moment.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { hrefOf, usePageLocation } from "../../route.ts";
import { PAGE_VOICE } from "../../words/page-voice.ts";
import { sessionNameOf } from "../../words/session-name.ts";
import { countTools } from "./count-tools.ts";

const MAX_CALLS = 200;

/** Two sessions side by side: their figures and the tools used by each. */
// biome-ignore lint/style/noDefaultExport: pages are loaded when they are opened, and React asks for a default export
export default function ComparePage(): ReactNode {
  const [left = "", right = ""] = usePageLocation().rest;
  const one = useRun(left);
  const other = useRun(right);
  const problem = one.problem ?? other.problem;
  return (
    <>
      <h1>Compare two sessions</h1>
      <ProblemNote problem={problem} />
      {one.session === undefined || other.session === undefined ? (
        problem === undefined ? (
          <p className="soft">Loading.</p>
        ) : (
          <p>
            <PageLink href={hrefOf("sessions")}>Choose two sessions</PageLink>
          </p>
        )
      ) : (
        <Comparison one={{ ...one, session: one.session }} other={{ ...other, session: other.session }} />
      )}
    </>
  );
}

interface Run {
  readonly session: SessionView;
  readonly calls: readonly CallView[];
  readonly isCut: boolean;
}

function useRun(key: string) {
  const path = /^\d+$/.test(key) ? `/api/sessions/${key}` : undefined;
  const session = useHubRead<SessionView>(path);
  const calls = useHubRead<Listed<CallView>>(path === undefined ? undefined : `${path}/calls?limit=${MAX_CALLS}`);
  return {
    session: session.answer,
    calls: calls.answer?.items ?? [],
    isCut: calls.answer?.next !== undefined,
    problem: session.problem ?? calls.problem,
  };
}

const FIGURES: readonly (readonly [name: string, show: (session: SessionView) => ReactNode])[] = [
  ["State", ({ status }) => describeStatus(status, PAGE_VOICE).words],
  ["Goal", ({ goal }) => <VisibleText text={goal ?? ""} />],
  ["Model", ({ model }) => model ?? ""],
  ["Began", ({ firstEventAt }) => <ShortTime at={firstEventAt} />],
  ["Duration", ({ durationMs }) => formatShortDuration(durationMs)],
  ["Calls", ({ counts }) => formatNumber(counts.calls)],
  ["Failed calls", ({ counts }) => formatNumber(counts.failedCalls)],
  ["Errors", ({ counts }) => formatNumber(counts.errors)],
  ["Cost", ({ costUsd }) => (costUsd === undefined ? "" : formatShortMoney(costUsd))],
  ["Tokens", ({ tokens }) => (tokens === undefined ? "" : formatTokens(tokens))],
];

function Comparison({ one, other }: { readonly one: Run; readonly other: Run }): ReactNode {
  const tools = countTools(one.calls, other.calls);
  const sessions = [one.session, other.session];
  return (
    <>
      <ComparisonTable title="Figure" sessions={sessions}>
        {FIGURES.map(([name, show]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{show(one.session)}</td>
            <td>{show(other.session)}</td>
          </tr>
        ))}
      </ComparisonTable>
      <h2>Calls by tool</h2>
      {tools.length === 0 ? (
        <p className="soft">Neither session called a tool.</p>
      ) : (
        <ComparisonTable title="Tool" sessions={sessions}>
          {tools.map(({ tool, left, right }) => (
            <tr key={tool} className={left.calls === right.calls && left.failed === right.failed ? undefined : "wanted"}>
              <th scope="row">
                <VisibleText text={tool} />
              </th>
              <td>{callsInWords(left)}</td>
              <td>{callsInWords(right)}</td>
            </tr>
          ))}
        </ComparisonTable>
      )}
      {one.isCut || other.isCut ? <p className="soft">{`Only the first ${MAX_CALLS} calls of each session are counted by tool.`}</p> : null}
      <h2>Step by step</h2>
      <p>A terminal aligns the steps of both sessions by meaning and shows where they diverge:</p>
      <CopyText text={`npx earshot diff ${one.session.id} ${other.session.id}`} what="the command that compares the two sessions" />
    </>
  );
}

interface ComparisonTableProps {
  readonly title: string;
  readonly sessions: readonly SessionView[];
  readonly children: ReactNode;
}

function ComparisonTable({ title, sessions, children }: ComparisonTableProps): ReactNode {
  return (
    <div className="wide">
      <table className="compare-table">
        <thead>
          <tr>
            <th scope="col">{title}</th>
            {sessions.map((session) => (
              <th key={session.key} scope="col">
                <PageLink href={hrefOf("session", session.key)}>
                  <VisibleText text={sessionNameOf(session)} />
                </PageLink>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

function callsInWords({ calls, failed }: { readonly calls: number; readonly failed: number }): string {
  return failed === 0 ? formatNumber(calls) : `${formatNumber(calls)}, ${formatNumber(failed)} failed`;
}
