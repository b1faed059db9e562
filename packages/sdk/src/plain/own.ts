/** The caller's options. They may be null from untyped code, or have getters that throw; they are ignored then. */
export function ownOptions<Options extends object>(options: Options | undefined): Partial<Options> {
  return callQuietly(() => ({ ...options })) ?? {};
}

/** Calls agent code: if it throws, only the value is lost. */
export function callQuietly<Answer>(ask: () => Answer): Answer | undefined {
  try {
    return ask();
  } catch {
    return undefined; // see above
  }
}
