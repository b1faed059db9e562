import type { SessionGroup, SessionStanding } from "@earshot/narrate";

/** Groups sessions with equal states in a summary. */
export function groupOf(standing: SessionStanding): string {
  return standing.is === "ended" ? standing.outcome : standing.is === "waiting" ? "waiting" : "running";
}

export function groupStandings(standings: readonly SessionStanding[], known: readonly SessionGroup[] = []): readonly SessionGroup[] {
  const groups = new Map(known.map((one) => [groupOf(one.standing), one] as const));
  for (const standing of standings) {
    const name = groupOf(standing);
    groups.set(name, { standing, sessions: (groups.get(name)?.sessions ?? 0) + 1 });
  }
  return [...groups.values()];
}
