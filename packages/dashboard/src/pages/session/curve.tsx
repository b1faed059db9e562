import { type ReactNode, useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useSettings } from "../../settings.ts";
import { clockTime } from "./clock-time.ts";

export interface CurveProps {
  readonly title: string;
  /** In chronological order. */
  readonly points: readonly (readonly [at: number, value: number])[];
  /** Formats a value as text. */
  readonly say: (value: number) => string;
}

const HEIGHT = 180;

/** One number over time. The label summarizes the chart in one sentence; the table has every point. */
export function Curve({ title, points, say }: CurveProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const { theme } = useSettings();
  // biome-ignore lint/correctness/useExhaustiveDependencies: colours are read anew when the theme changes
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const draw = () => {
      plot?.destroy();
      plot = new uPlot(optionsFor(element, say), toData(points), element);
    };
    let plot: uPlot | undefined;
    draw();
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", draw);
    const sized = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height: HEIGHT }));
    sized.observe(element);
    return () => {
      dark.removeEventListener("change", draw);
      sized.disconnect();
      plot?.destroy();
    };
  }, [points, say, theme]);
  const [first, last] = [points[0] ?? [0, 0], points.at(-1) ?? [0, 0]];
  const words = `${title}: from ${say(first[1])} at ${clockTime(first[0])} to ${say(last[1])} at ${clockTime(last[0])}`;
  return (
    <figure className="curve">
      <figcaption>{title}</figcaption>
      <div ref={place} className="curve-place" role="img" aria-label={words} />
    </figure>
  );
}

/** A value holds until the next one is reported: drawn as steps. */
function toData(points: CurveProps["points"]): uPlot.AlignedData {
  return [points.map(([at]) => at / 1000), points.map(([, value]) => value)];
}

function optionsFor(element: HTMLElement, say: (value: number) => string): uPlot.Options {
  const { color, accentColor, borderColor } = getComputedStyle(element);
  const axis = { stroke: color, grid: { stroke: borderColor, width: 1 }, ticks: { stroke: borderColor, width: 1 } };
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    series: [{}, { stroke: accentColor, width: 2, points: { size: 5 }, ...(stepped === undefined ? {} : { paths: stepped }) }],
    axes: [
      { ...axis, values: (_plot, times) => times.map((at) => clockTime(at * 1000)), space: 90 },
      { ...axis, values: (_plot, values) => values.map(say), size: 76 },
    ],
  };
}
