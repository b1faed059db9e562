/**
 * The last few thousand keys of a session, as a plain value. Two generations: when the younger one is full the older
 * one is dropped, so that adding costs the same however long the session is, and at least `limit` keys are remembered.
 * Keys are prefixed, because a plain object has a `__proto__` of its own.
 */
export interface Remembered {
  young: Record<string, number>;
  old: Record<string, number>;
  count: number;
}

export function createRemembered(): Remembered {
  return { young: {}, old: {}, count: 0 };
}

export function recall(remembered: Remembered, key: string): number | undefined {
  const prefixed = `:${key}`;
  return remembered.young[prefixed] ?? remembered.old[prefixed];
}

export function remember(remembered: Remembered, key: string, value: number, limit: number): void {
  if (remembered.count >= limit) {
    remembered.old = remembered.young;
    remembered.young = {};
    remembered.count = 0;
  }
  remembered.young[`:${key}`] = value;
  remembered.count++;
}
