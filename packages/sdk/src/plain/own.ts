/** The caller's options. They may be null from untyped code, or have getters that throw; they are ignored then. */
export function own<Options extends object>(options: Options | undefined): Partial<Options> {
  return quietly(() => ({ ...options })) ?? {};
}

/** Calls agent code: if it throws, only the value is lost. */
export function quietly<Answer>(ask: () => Answer): Answer | undefined {
  try {
    return ask();
  } catch {
    return undefined; // see above
  }
}
