import type { Severity } from "@earshot/protocol";
import { axisPlaceOf } from "../fold/axis.ts";
import type { RecordingTrace, Section, Violation } from "../trace.ts";

/** Violations so close together that they share a mark. */
export interface ViolationMark {
  /** From 0 to 1. */
  readonly place: number;
  /** The highest severity among them. */
  readonly severity: Severity;
  readonly count: number;
  /** The listed violations among them. */
  readonly listed: readonly Violation[];
}

const ORDER: readonly Severity[] = ["error", "warning", "info"];

/** The marks of a section, from left to right, no two closer than `apart`. */
export function marksOf(trace: RecordingTrace, section: Section, apart: number): readonly ViolationMark[] {
  const marks: ViolationMark[] = [];
  for (const one of [...single(trace, section)].sort((a, b) => a.place - b.place)) {
    const last = marks.at(-1);
    if (last !== undefined && one.place - last.place < apart) marks[marks.length - 1] = joined(last, one);
    else marks.push(one);
  }
  return marks;
}

function single(trace: RecordingTrace, section: Section): readonly ViolationMark[] {
  const listed = trace.violations.filter((violation) => violation.section === section.index && violation.at !== undefined);
  const { error, warning, info } = section.violations;
  if (listed.length >= error + warning + info) {
    return listed.flatMap((violation) =>
      violation.at === undefined
        ? []
        : [{ place: axisPlaceOf(section.axis, violation.at), severity: violation.severity, count: 1, listed: [violation] }],
    );
  }
  // More violations than are listed: the buckets count all of them.
  return section.buckets.flatMap((bucket) =>
    ORDER.filter((severity) => bucket.violations[severity] > 0).map((severity) => ({
      place: axisPlaceOf(section.axis, bucket.to),
      severity,
      count: bucket.violations[severity],
      listed: listed.filter(
        ({ at, severity: own }) => own === severity && at !== undefined && at.entry >= bucket.from.entry && at.entry <= bucket.to.entry,
      ),
    })),
  );
}

function joined(one: ViolationMark, other: ViolationMark): ViolationMark {
  const severity = ORDER.indexOf(other.severity) < ORDER.indexOf(one.severity) ? other.severity : one.severity;
  return { place: one.place, severity, count: one.count + other.count, listed: [...one.listed, ...other.listed] };
}

/** The label of a mark: the violation's number in the list, the first and last of several, or their count. */
export function markLabel({ listed, count }: ViolationMark): string {
  const numbers = listed.map(({ number }) => number);
  const [first] = numbers;
  if (first === undefined || numbers.length < count) return `×${count}`;
  if (count === 1) return String(first);
  const last = Math.max(...numbers);
  return last - Math.min(...numbers) + 1 === count ? `${Math.min(...numbers)}–${last}` : `${first} +${count - 1}`;
}

/** Whether an answer is a plain yes or a plain no; any other answer is shown as text. */
export function readYesOrNo(answer: string | undefined): "yes" | "no" | undefined {
  if (answer === undefined) return undefined;
  if (/^(?:accept|allow|approve|yes|true|continue)(?:ed|d)?$/i.test(answer)) return "yes";
  return /^(?:reject(?:ed)?|deny|denied|block(?:ed)?|no|false|stop)$/i.test(answer) ? "no" : undefined;
}
