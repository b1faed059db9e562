import type { ReactNode } from "react";

export interface Bar {
  readonly name: string;
  readonly value: number;
  /** The value as text. */
  readonly text: string;
}

export interface BarsProps {
  readonly label: string;
  readonly bars: readonly Bar[];
  /** A limit, drawn as a line across the chart. */
  readonly limit?: number | undefined;
}

/** A bar chart, for example of days. An adjacent table or its label has the same data as text. */
export function Bars({ label, bars, limit }: BarsProps): ReactNode {
  const most = Math.max(...bars.map(({ value }) => value), limit ?? 0);
  const height = (value: number) => (most === 0 ? 0 : (value / most) * 100);
  const [first, last] = [bars[0], bars.at(-1)];
  const highest = bars.reduce<Bar | undefined>((one, other) => (one === undefined || other.value > one.value ? other : one), undefined);
  const inWords = most === 0 ? "nothing" : `${last?.text} on the last day, ${highest?.text} at most, on ${highest?.name}`;
  return (
    <figure className="bars">
      <div className="bars-plot" role="img" aria-label={`${label}: ${inWords}.`}>
        {bars.map(({ name, value, text }) => (
          <span key={name} className={name === last?.name ? "bar now" : "bar"} title={`${name}: ${text}`}>
            <span style={{ blockSize: `${height(value)}%` }} />
          </span>
        ))}
        {limit === undefined ? null : <span className="bars-limit" style={{ insetBlockEnd: `${height(limit)}%` }} />}
      </div>
      <figcaption aria-hidden="true">
        <span>{first?.name}</span>
        <span>{last?.name}</span>
      </figcaption>
    </figure>
  );
}
