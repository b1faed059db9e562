import type { CostTable } from "@earshot/hub";
import { formatNumber, formatShortMoney } from "@earshot/narrate";
import type { ReactNode } from "react";
import { useHubRead } from "../../hub/use-hub.ts";
import { Bars } from "../../parts/bars.tsx";
import { PageLink } from "../../parts/link.tsx";
import { hrefOf } from "../../route.ts";
import { daysUntil, fillDays, tokensOf } from "../costs/days.ts";

const DAYS = 14;

/** Today's cost and tokens, compared with the preceding days. */
export function Today(): ReactNode {
  const days = daysUntil(Date.now(), DAYS);
  const { answer } = useHubRead<CostTable>(`/api/costs?by=day&from=${days[0]}&to=${days.at(-1)}&limit=${DAYS}`, {
    changes: (news) => news.entries.length > 0,
    everyMs: 5000,
  });
  const lines = fillDays(days, answer?.lines ?? []);
  const today = lines.at(-1);
  const before = lines.slice(0, -1).filter(({ events }) => events > 0);
  const mean = before.length === 0 ? undefined : before.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0) / before.length;
  return (
    <section aria-labelledby="today-title" className="panel">
      <div className="panel-head">
        <h2 id="today-title">Today</h2>
        <PageLink href={hrefOf("costs")}>Costs</PageLink>
      </div>
      <dl className="figures">
        <div>
          <dt>Cost</dt>
          <dd>{today?.costUsd === undefined ? "none reported" : formatShortMoney(today.costUsd)}</dd>
        </div>
        <div>
          <dt>Tokens</dt>
          <dd>{today === undefined || tokensOf(today) === undefined ? "none reported" : formatNumber(tokensOf(today) ?? 0)}</dd>
        </div>
        <div>
          <dt>A usual day</dt>
          <dd>{mean === undefined ? "not known yet" : formatShortMoney(mean)}</dd>
        </div>
      </dl>
      <Bars
        label="Cost of the last 14 days"
        bars={lines.map(({ name, costUsd = 0 }) => ({ name, value: costUsd, text: formatShortMoney(costUsd) }))}
      />
    </section>
  );
}
