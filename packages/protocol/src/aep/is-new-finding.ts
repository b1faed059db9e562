import { boundText } from "../brief.ts";
import type { Finding } from "../finding.ts";
import type { ToldOnce } from "../told-once.ts";

/** Maximum number of cases of one rule reported per session, where a producer could make up any number of them. */
const CASES = 32;

/**
 * Whether a finding has not been reported before. Remembers findings that are reported once per case in a session rather than once per
 * rule.
 */
export function isNewFinding(finding: Finding, told: ToldOnce): boolean {
  switch (finding.rule) {
    case "aep/should-carry": // each type and gap: the vocabulary is the bound
      return remember(`${finding.rule} ${finding.message}`, told);
    case "aep/type-known": // each type
      return isBounded(finding, `${finding.rule} ${finding.message}`, told);
    case "aep/no-null": // each member, whatever its place in a list
      return isBounded(finding, `${finding.rule} ${boundText((finding.pointer ?? "").replace(/\/\d+(?=\/)/g, "/*"))}`, told);
    default:
      return true;
  }
}

function isBounded({ rule }: Finding, key: string, told: ToldOnce): boolean {
  if (told[key] === true) return false;
  let cases = 0;
  for (const other in told) if (other.startsWith(rule)) cases++;
  return cases < CASES && remember(key, told);
}

function remember(key: string, told: ToldOnce): boolean {
  if (told[key] === true) return false;
  told[key] = true;
  return true;
}
