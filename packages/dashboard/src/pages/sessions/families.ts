/** A session with its subagents. */
export interface SessionFamily<Session> {
  readonly session: Session;
  readonly children: readonly SessionFamily<Session>[];
}

interface Member {
  readonly key: number;
  readonly parent?: { readonly key?: number };
}

/** Groups subagents under their parent if both are in the list. Otherwise keeps the order; a cycle of parents is broken. */
export function toFamilies<Session extends Member>(sessions: readonly Session[]): readonly SessionFamily<Session>[] {
  const known = new Map(sessions.map((session) => [session.key, session]));
  const childrenOf = new Map<number, Session[]>();
  const roots: Session[] = [];
  for (const session of sessions) {
    const parent = session.parent?.key;
    if (parent === undefined || !known.has(parent) || isOwnAncestor(session, known)) roots.push(session);
    else childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), session]);
  }
  const toFamily = (session: Session): SessionFamily<Session> => ({
    session,
    children: (childrenOf.get(session.key) ?? []).map(toFamily),
  });
  return roots.map(toFamily);
}

function isOwnAncestor(session: Member, known: ReadonlyMap<number, Member>): boolean {
  const seen = new Set<number>();
  for (let key = session.parent?.key; key !== undefined && !seen.has(key); key = known.get(key)?.parent?.key) {
    if (key === session.key) return true;
    seen.add(key);
  }
  return false;
}
