/** Points in time in words. Numbers, units and dates come from `Intl`. */
export interface MomentWords {
  /** BCP 47, for `Intl`. */
  readonly locale: string;
  readonly justNow: string;
  readonly unknownTime: string;
  readonly unknownDay: string;
  readonly dayAt: (day: string, clock: string) => string;
  readonly agoAt: (ago: string, clock: string) => string;
  readonly yesterdayAt: (clock: string) => string;
}

export const ENGLISH_MOMENTS: MomentWords = {
  locale: "en-GB",
  justNow: "just now",
  unknownTime: "at an unknown time",
  unknownDay: "an unknown day",
  dayAt: (day, clock) => `${day} at ${clock}`,
  agoAt: (ago, clock) => `${ago}, at ${clock}`,
  yesterdayAt: (clock) => `yesterday at ${clock}`,
};

export const GERMAN_MOMENTS: MomentWords = {
  locale: "de",
  justNow: "gerade eben",
  unknownTime: "zu unbekannter Zeit",
  unknownDay: "ein unbekannter Tag",
  dayAt: (day, clock) => `${day} um ${clock}`,
  agoAt: (ago, clock) => `${ago}, um ${clock}`,
  yesterdayAt: (clock) => `gestern um ${clock}`,
};
