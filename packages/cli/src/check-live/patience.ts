/** How long a drive waits, and for what. Everything else is decided by what arrives, never by how fast. */
export interface Patience {
  /** How long something that must come may take. */
  readonly answerMs: number;
  /** How long nothing must come before it is believed that nothing does. What comes later still counts. */
  readonly quietMs: number;
  /** How much later than to others a critical event may come to a subscription under pressure. */
  readonly criticalMs: number;
  /** How long a producer is watched under a rate limit. */
  readonly rateMs: number;
  /** How long after a close the default of an open question may take: a producer may wait for a resumption. */
  readonly graceMs: number;
  /** How far the clocks of two machines may be apart. */
  readonly clockMs: number;
}

export const PATIENCE: Patience = { answerMs: 10_000, quietMs: 800, criticalMs: 3000, rateMs: 3000, graceMs: 12_000, clockMs: 60_000 };
