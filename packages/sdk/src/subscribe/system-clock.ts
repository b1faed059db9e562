import type { SubscriberClock } from "@earshot/aaep";

/** The clocks of this machine. A timer keeps the process alive: somebody waits for events. */
export function systemClock(): SubscriberClock {
  return {
    monotonic: () => performance.now(),
    now: () => Date.now(),
    random: () => Math.random(),
    after: (ms, call) => {
      const timer = setTimeout(call, ms);
      return () => clearTimeout(timer);
    },
  };
}
