/**
 * Options as a value of our own. They are the caller's: null from a program without types, or an object whose members
 * throw. Then there are none.
 */
export function own<Options extends object>(options: Options | undefined): Partial<Options> {
  return quietly(() => ({ ...options })) ?? {};
}

/** Asks what belongs to the agent: a failure in it costs the answer, not the call. */
export function quietly<Answer>(ask: () => Answer): Answer | undefined {
  try {
    return ask();
  } catch {
    return undefined; // see above
  }
}
