import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const SOON_MS = 500;

/**
 * Gives back, once, the memory that starting took. What was loaded and compiled leaves a nursery of 32 MB that V8 keeps for as
 * long as nobody speaks, which is most of the time: about 18 MB of 127 are given back, in some 30 ms. Not while somebody
 * speaks: `isBusy` says whether anybody did since it was asked the last time.
 */
export function tidyMemorySoon(isBusy: () => boolean): Disposable {
  isBusy();
  const timer = setInterval(() => {
    if (isBusy()) return;
    clearInterval(timer);
    collectGarbage();
  }, SOON_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** The flag is the whole process's, and threads tidy side by side: it stays on, for one that took it back would take it from another. */
export function collectGarbage(): boolean {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("globalThis.gc");
  if (typeof collect !== "function") return false;
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
  return true;
}
