import type { PolicyRule } from "../policy.ts";

export interface RulePair {
  readonly from?: PolicyRule;
  readonly to?: PolicyRule;
}

interface Keyed {
  readonly rule: PolicyRule;
  readonly match: string;
  /** All members that affect the decision: not the name, the line or the message. */
  readonly whole: string;
}

/**
 * Pairs the rules of two lists, in order: identical rules before rules that share only a name or a match. A rule without a partner was
 * removed or added.
 */
export function alignRules(before: readonly PolicyRule[], after: readonly PolicyRule[]): readonly RulePair[] {
  const left = before.map(toKeyed);
  const right = after.map(toKeyed);
  const best = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1));
  const at = (i: number, j: number) => best[i]?.[j] ?? 0;
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      const likeness = likenessOf(left[i], right[j]);
      const paired = likeness === 0 ? 0 : likeness + at(i + 1, j + 1);
      best[i]?.set([Math.max(paired, at(i + 1, j), at(i, j + 1))], j);
    }
  }
  const pairs: RulePair[] = [];
  for (let i = 0, j = 0; i < left.length || j < right.length; ) {
    const from = left[i]?.rule;
    const to = right[j]?.rule;
    const likeness = likenessOf(left[i], right[j]);
    const isPair = likeness > 0 && at(i, j) === likeness + at(i + 1, j + 1);
    const takesFrom = from !== undefined && (isPair || to === undefined || at(i + 1, j) >= at(i, j + 1));
    const takesTo = to !== undefined && (isPair || !takesFrom);
    pairs.push({ ...(takesFrom ? { from } : {}), ...(takesTo ? { to } : {}) });
    if (takesFrom) i++;
    if (takesTo) j++;
  }
  return pairs;
}

export function isSameRule(from: PolicyRule, to: PolicyRule): boolean {
  return toKeyed(from).whole === toKeyed(to).whole;
}

function toKeyed(rule: PolicyRule): Keyed {
  const { name: _name, from: _from, message: _message, ...decides } = rule;
  const sorted = Object.entries(decides).sort(([a], [b]) => (a < b ? -1 : 1));
  return { rule, match: JSON.stringify([rule.match, rule.except ?? null]), whole: JSON.stringify(sorted) };
}

function likenessOf(from: Keyed | undefined, to: Keyed | undefined): number {
  if (from === undefined || to === undefined) return 0;
  const named = from.rule.name === to.rule.name ? 1 : 0;
  if (from.whole === to.whole) return 8 + named;
  return from.match === to.match ? 2 + named : named;
}
