import { readTypeName } from "@earshot/protocol";

export interface EventFilter {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** How many types are remembered: an agent uses a dozen, a hostile one may use millions. */
const REMEMBERED = 256;

/**
 * Whether the filter lets a type pass: some pattern includes it and none excludes it. What is critical passes without being
 * asked about. Answers are remembered, because the same few types come by over and over.
 */
export function createFilter({ include, exclude }: EventFilter): (type: string) => boolean {
  const included = include.map(compactPattern);
  const excluded = exclude.map(compactPattern);
  const known = new Map<string, boolean>();
  return (type) => {
    let admitted = known.get(type);
    if (admitted === undefined) {
      admitted = included.some((pattern) => matchesPattern(pattern, type)) && !excluded.some((pattern) => matchesPattern(pattern, type));
      if (known.size >= REMEMBERED) known.clear();
      known.set(type, admitted);
    }
    return admitted;
  };
}

/** A pattern is a type, or the beginning of one followed by `*`; `aaep:agent.tool.*` stands for `aaep:agent.tool` too. */
export function matchesPattern(pattern: string, type: string): boolean {
  if (!pattern.endsWith("*")) return pattern === type;
  return type.startsWith(pattern.slice(0, -1)) || (pattern.endsWith(".*") && type === pattern.slice(0, -2));
}

/** A `*` before the end has no meaning that both sides would agree on. */
export function isPattern(pattern: string): boolean {
  return !pattern.slice(0, -1).includes("*");
}

function compactPattern(pattern: string): string {
  const name = readTypeName(pattern);
  return name.form === "uri" && name.prefix !== "" ? `${name.prefix}:${name.local}` : pattern;
}
