/** Waits until a condition holds; fails after a long time, for busy machines. */
export async function until(holds: () => unknown, what = "what was waited for"): Promise<void> {
  const end = performance.now() + 30_000;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`In vain: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
