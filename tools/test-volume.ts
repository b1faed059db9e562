/** Property tests and simulations run few cases in the fast tier, more in CI's deep tier, and many in a full deep run. */
const VOLUMES = ["fast", "short", "full"] as const;
type Volume = (typeof VOLUMES)[number];

const named = process.env["EARSHOT_TEST_VOLUME"];
const chosen: Volume = VOLUMES.find((volume) => volume === named) ?? "fast";

/** The number of cases for the current tier. */
export function testVolume(numbers: Readonly<Record<Volume, number>>): number {
  return numbers[chosen];
}

/** The usual number of cases of a property test. A property whose cases are slow takes a share of them. */
export function propertyRuns(share = 1): number {
  return Math.ceil(testVolume({ fast: 200, short: 1000, full: 5000 }) * share);
}
