export interface MetricFamily {
  readonly name: string;
  readonly type: string;
  readonly samples: (readonly [name: string, labels: Readonly<Record<string, string>>, value: number])[];
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (-?[0-9.e+]+|NaN|[+-]Inf)$/;

/** Reads the exposition format strictly by its specification and throws on any violation. */
export function readExposition(text: string): readonly MetricFamily[] {
  const families: MetricFamily[] = [];
  if (!text.endsWith("\n")) throw new Error("The last line must end with a line feed.");
  for (const line of text.slice(0, -1).split("\n")) {
    const [, kind, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? [];
    if (kind === "HELP") {
      if (!NAME.test(name) || families.some((family) => family.name === name)) throw new Error(`Not a new name: ${line}`);
      families.push({ name, type: "untyped", samples: [] });
      continue;
    }
    const family = families.at(-1);
    if (family === undefined) throw new Error(`A sample without a family: ${line}`);
    if (kind === "TYPE") {
      if (family.name !== name || family.samples.length > 0) throw new Error(`TYPE out of place: ${line}`);
      families[families.length - 1] = { ...family, type: rest };
      continue;
    }
    const [, sample = "", labels = "", value = ""] = SAMPLE.exec(line) ?? [];
    const suffixes = family.type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
    if (!suffixes.some((suffix) => sample === family.name + suffix)) throw new Error(`Not a sample of ${family.name}: ${line}`);
    family.samples.push([sample, readLabels(labels), Number(value.replace("Inf", "Infinity"))]);
  }
  for (const family of families) if (family.type === "histogram") checkHistogram(family);
  return families;
}

function readLabels(text: string): Readonly<Record<string, string>> {
  const labels: Record<string, string> = {};
  let rest = text;
  while (rest !== "") {
    const [whole = "", name = "", value = ""] = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/.exec(rest) ?? [];
    if (whole === "" || name in labels) throw new Error(`Not labels: ${text}`);
    labels[name] = value.replaceAll(/\\(.)/g, (_match, character: string) => (character === "n" ? "\n" : character));
    rest = rest.slice(whole.length);
  }
  return labels;
}

function checkHistogram({ name, samples }: MetricFamily): void {
  const buckets = samples.filter(([sample]) => sample === `${name}_bucket`);
  const bounds = buckets.map(([, { le = "" }]) => Number(le.replace("Inf", "Infinity")));
  const counts = buckets.map(([, , value]) => value);
  const count = samples.find(([sample]) => sample === `${name}_count`)?.[2];
  const grows = (numbers: readonly number[]) => numbers.every((number, index) => index === 0 || number >= (numbers[index - 1] ?? 0));
  if (!grows(bounds) || !grows(counts) || bounds.at(-1) !== Number.POSITIVE_INFINITY || counts.at(-1) !== count)
    throw new Error(`Not a histogram: ${name}`);
}
