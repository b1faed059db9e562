import type { CostTable, SessionView } from "@earshot/hub";
import { formatNumber, formatShortMoney } from "@earshot/narrate";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { useHubRead } from "../../hub/use-hub.ts";
import { PageLink } from "../../parts/link.tsx";
import { hrefOf } from "../../route.ts";
import { clockTime } from "./clock-time.ts";
import { Curve } from "./curve.tsx";
import { type SpendingPoint, toSpending } from "./spending.ts";
import { isAbout, type LoadedStory } from "./use-story.ts";

export interface SpendingViewProps {
  readonly session: SessionView;
  readonly story: LoadedStory;
}

/** A session's cost over time: a chart, and the same data as a table. */
// biome-ignore lint/style/noDefaultExport: loaded when it is opened, and React asks for a default export
export default function SpendingView({ session, story }: SpendingViewProps): ReactNode {
  const { window, all, isBusy } = story;
  const [isTable, setTable] = useState(false);
  const spent = useMemo(() => toSpending(window?.items ?? []), [window]);
  const costs = useMemo(() => pointsOf(spent, "costUsd"), [spent]);
  const tokens = useMemo(() => pointsOf(spent, "tokens"), [spent]);
  const hasMore = window?.later !== undefined;
  // The chart covers the whole session, or as much of it as can be read at once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is opened
  useEffect(() => {
    if (hasMore) void all();
  }, [window === undefined]);
  const tools = useHubRead<CostTable>(`/api/costs?by=tool&session=${session.key}&limit=20`, {
    changes: (news) => isAbout(news, session),
    everyMs: 2000,
  }).answer;
  const models = useHubRead<CostTable>(`/api/costs?by=model&session=${session.key}&limit=20`).answer;
  return (
    <section aria-labelledby="spending-title">
      <h2 id="spending-title" className="told">
        Cost and tokens
      </h2>
      <p>
        {session.costUsd === undefined ? "No cost was reported." : `${formatShortMoney(session.costUsd)} in all.`}{" "}
        {session.tokens?.total === undefined ? "" : `${formatNumber(session.tokens.total)} tokens in all.`} Agents report these numbers;
        nothing is computed from prices.
      </p>
      {window !== undefined && (!window.isFirst || hasMore) ? (
        <p className="soft">
          {isBusy ? "Reading on." : "This long session was not read completely; the curve shows part of it."}{" "}
          {hasMore && !isBusy ? (
            <button type="button" className="small-button" onClick={() => void all()}>
              Read more of it
            </button>
          ) : null}
        </p>
      ) : null}
      {costs.length < 2 && tokens.length < 2 ? (
        <p className="soft">Too few values for a chart.</p>
      ) : (
        <>
          <div className="curves">
            {costs.length < 2 ? null : <Curve title="Cost so far" points={costs} say={formatShortMoney} />}
            {tokens.length < 2 ? null : <Curve title="Tokens so far" points={tokens} say={formatNumber} />}
          </div>
          <button type="button" className="small-button" aria-expanded={isTable} onClick={() => setTable(!isTable)}>
            Curves as a table
          </button>
          {isTable ? <SpentTable spent={spent} session={session.key} /> : null}
        </>
      )}
      <Lines title="By tool" name="Tool" table={tools} />
      <Lines title="By model" name="Model" table={models} />
    </section>
  );
}

type Point = readonly [at: number, value: number];

function pointsOf(spent: readonly SpendingPoint[], name: "costUsd" | "tokens"): readonly Point[] {
  return spent.flatMap((one): readonly Point[] => {
    const value = one[name];
    return value === undefined ? [] : [[one.at, value]];
  });
}

const MAX_ROWS = 500;

function SpentTable({ spent, session }: { readonly spent: readonly SpendingPoint[]; readonly session: number }): ReactNode {
  return (
    <div className="table-scroll">
      <table>
        <caption>{`Spending so far${spent.length > MAX_ROWS ? `, the first ${MAX_ROWS} of ${spent.length} reports` : ""}`}</caption>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Cost so far</th>
            <th scope="col">Tokens so far</th>
          </tr>
        </thead>
        <tbody>
          {spent.slice(0, MAX_ROWS).map(({ at, position, costUsd, tokens }) => (
            <tr key={position}>
              <th scope="row">
                <PageLink href={hrefOf("session", session, { at: position })}>{clockTime(at)}</PageLink>
              </th>
              <td className="number">{costUsd === undefined ? "not told" : formatShortMoney(costUsd)}</td>
              <td className="number">{tokens === undefined ? "not told" : formatNumber(tokens)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface LinesProps {
  readonly title: string;
  readonly name: string;
  readonly table: CostTable | undefined;
}

function Lines({ title, name, table }: LinesProps): ReactNode {
  if (table === undefined || table.lines.length === 0) return null;
  return (
    <div className="table-scroll">
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{name}</th>
            <th scope="col">Cost</th>
            <th scope="col">Tokens</th>
            <th scope="col">Reports</th>
          </tr>
        </thead>
        <tbody>
          {table.lines.map((line) => (
            <tr key={line.name}>
              <th scope="row">{line.name === "" ? "not named" : line.name}</th>
              <td className="number">{line.costUsd === undefined ? "not told" : formatShortMoney(line.costUsd)}</td>
              <td className="number">{line.tokens?.total === undefined ? "not told" : formatNumber(line.tokens.total)}</td>
              <td className="number">{formatNumber(line.events)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
