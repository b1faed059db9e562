import type { CostGroup, CostTable } from "@earshot/hub";
import { agentName, formatNumber, formatShortMoney, projectName } from "@earshot/narrate";
import { type ReactNode, useId, useState } from "react";
import { VisibleText } from "../../content/visible-text.tsx";
import { useHubRead } from "../../hub/use-hub.ts";
import { Bars } from "../../parts/bars.tsx";
import { PageLink } from "../../parts/link.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { hrefOf, refineQuery, usePageLocation } from "../../route.ts";
import { daysUntil, fillDays, tokensOf } from "./days.ts";

const GROUPS = ["agent", "model", "project", "tool", "session"] as const satisfies readonly CostGroup[];
const GROUP_TITLES: Readonly<Record<(typeof GROUPS)[number], string>> = {
  agent: "Agent",
  model: "Model",
  project: "Project",
  tool: "Tool",
  session: "Session",
};
const RANGES = [7, 30, 90] as const;
const DEFAULT_DAYS = 30;
const MAX_LINES = 100;

/** Costs reported by agents, by day and by category. */
// biome-ignore lint/style/noDefaultExport: pages are loaded when they are opened, and React asks for a default export
export default function CostsPage(): ReactNode {
  const { query } = usePageLocation();
  const id = useId();
  const count = RANGES.find((one) => String(one) === query.get("days")) ?? DEFAULT_DAYS;
  const by = GROUPS.find((one) => one === query.get("by")) ?? "agent";
  const [plots, setPlots] = useState<"cost" | "tokens">("cost");
  const days = daysUntil(Date.now(), count);
  const range = `from=${days[0]}&to=${days.at(-1)}`;
  const heard = { changes: (news: { readonly entries: readonly unknown[] }) => news.entries.length > 0, everyMs: 5000 };
  const perDay = useHubRead<CostTable>(`/api/costs?by=day&${range}&limit=${count}`, heard);
  const table = useHubRead<CostTable>(`/api/costs?by=${by}&${range}&limit=${MAX_LINES}`, heard);
  const lines = fillDays(days, perDay.answer?.lines ?? []);
  const total = perDay.answer?.total;
  return (
    <div className="costs">
      <h1>Costs</h1>
      <search aria-label="Costs shown" className="filters">
        <label htmlFor={`${id}-days`}>Time</label>
        <select id={`${id}-days`} value={count} onChange={({ currentTarget }) => refineQuery({ days: currentTarget.value })}>
          {RANGES.map((one) => (
            <option key={one} value={one}>{`last ${one} days`}</option>
          ))}
        </select>
        <label htmlFor={`${id}-plots`}>Plot</label>
        <select
          id={`${id}-plots`}
          value={plots}
          onChange={({ currentTarget }) => setPlots(currentTarget.value === "tokens" ? "tokens" : "cost")}
        >
          <option value="cost">cost</option>
          <option value="tokens">tokens</option>
        </select>
      </search>
      <ProblemNote problem={perDay.problem ?? table.problem} />
      <section className="panel" aria-labelledby={`${id}-by-day`}>
        <h2 id={`${id}-by-day`}>By day</h2>
        <dl className="figures">
          <div>
            <dt>Cost</dt>
            <dd>{total?.costUsd === undefined ? "none reported" : formatShortMoney(total.costUsd)}</dd>
          </div>
          <div>
            <dt>Tokens</dt>
            <dd>{total === undefined || tokensOf(total) === undefined ? "none reported" : formatNumber(tokensOf(total) ?? 0)}</dd>
          </div>
        </dl>
        <Bars
          label={`${plots === "cost" ? "Cost" : "Tokens"} of the last ${count} days`}
          bars={lines.map((line) =>
            plots === "cost"
              ? { name: line.name, value: line.costUsd ?? 0, text: formatShortMoney(line.costUsd ?? 0) }
              : { name: line.name, value: tokensOf(line) ?? 0, text: `${formatNumber(tokensOf(line) ?? 0)} tokens` },
          )}
        />
        <p className="soft">As reported by the agents. Days are in UTC.</p>
      </section>
      <section className="panel" aria-labelledby={`${id}-by`}>
        <div className="panel-head">
          <h2 id={`${id}-by`}>{`By ${GROUP_TITLES[by].toLowerCase()}`}</h2>
          <fieldset className="segments">
            <legend className="told">Grouped by</legend>
            {GROUPS.map((one) => (
              <label key={one} className={one === by ? "chosen" : undefined}>
                <input type="radio" name={`${id}-by`} className="told" checked={one === by} onChange={() => refineQuery({ by: one })} />
                {GROUP_TITLES[one]}
              </label>
            ))}
          </fieldset>
        </div>
        {table.answer === undefined ? (
          <p className="soft">Loading.</p>
        ) : table.answer.lines.length === 0 ? (
          <p className="soft">No agent reported a cost or tokens in this time.</p>
        ) : (
          <CostLines table={table.answer} by={by} />
        )}
      </section>
    </div>
  );
}

function CostLines({ table, by }: { readonly table: CostTable; readonly by: (typeof GROUPS)[number] }): ReactNode {
  const most = Math.max(...table.lines.map(({ costUsd = 0 }) => costUsd));
  return (
    <div className="wide">
      <table className="cost-table">
        <thead>
          <tr>
            <th scope="col">{GROUP_TITLES[by]}</th>
            <th scope="col" className="number">
              Cost
            </th>
            <th scope="col" className="number">
              Tokens
            </th>
          </tr>
        </thead>
        <tbody>
          {table.lines.map((line) => (
            <tr key={`${line.name} ${line.session ?? ""}`}>
              <th scope="row">
                <LineName line={line} by={by} />
                <span className="share" aria-hidden="true">
                  <span style={{ inlineSize: `${most === 0 ? 0 : ((line.costUsd ?? 0) / most) * 100}%` }} />
                </span>
              </th>
              <td className="number">{line.costUsd === undefined ? "" : formatShortMoney(line.costUsd)}</td>
              <td className="number">{tokensOf(line) === undefined ? "" : formatNumber(tokensOf(line) ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {table.more ? <p className="soft">{`The ${MAX_LINES} most expensive.`}</p> : null}
    </div>
  );
}

interface LineNameProps {
  readonly line: CostTable["lines"][number];
  readonly by: (typeof GROUPS)[number];
}

function LineName({ line: { name, session }, by }: LineNameProps): ReactNode {
  if (by === "session" && session !== undefined) return <PageLink href={hrefOf("session", session)}>{name}</PageLink>;
  if (name === "") return <span className="soft">{by === "project" ? "No folder known" : `No ${by} known`}</span>;
  const text = by === "agent" ? agentName(name) : by === "project" ? (projectName(name) ?? name) : name;
  if (by === "tool") return <VisibleText text={text} />;
  return (
    <PageLink href={hrefOf("sessions", { text: name })}>
      <VisibleText text={text} />
    </PageLink>
  );
}
