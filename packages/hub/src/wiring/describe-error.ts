/** An error in a line of the log: what it is, and what is behind it. */
export function describeError(error: unknown): string {
  const { cause } = error instanceof Error ? error : { cause: undefined };
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return cause instanceof Error ? `${text} (${cause.message})` : text;
}
