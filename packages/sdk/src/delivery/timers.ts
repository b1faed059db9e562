/** In Node, the timer then does not keep the process alive; browsers have no equivalent. */
export function unrefTimer<Timer>(timer: Timer): Timer {
  if (typeof timer === "object" && timer !== null && "unref" in timer && typeof timer.unref === "function") timer.unref();
  return timer;
}

export function waitForMs(ms: number): Promise<void> {
  return new Promise((resolve) => unrefTimer(setTimeout(resolve, ms)));
}

/** Waits for an event up to a timeout. Keeps the process alive deliberately, because a caller is waiting. */
export async function waitAtMost(ms: number, event: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([event, timeout]);
  clearTimeout(timer);
}
