/** In Node, a timer of ours does not keep the process alive; in browsers nothing does. */
export function release<Timer>(timer: Timer): Timer {
  if (typeof timer === "object" && timer !== null && "unref" in timer && typeof timer.unref === "function") timer.unref();
  return timer;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => release(setTimeout(resolve, ms)));
}

/** Waits for something, but not longer. Deliberately keeps the process alive: somebody waits for it. */
export async function within(ms: number, event: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([event, timeout]);
  clearTimeout(timer);
}
