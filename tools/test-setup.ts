import fc from "fast-check";

/**
 * Property tests run on the same cases everywhere, so that CI does not fail by chance. FAST_CHECK_SEED sets another seed, or `random` for
 * new cases: `npm test -- --random`.
 */
const { FAST_CHECK_SEED = "20261115" } = process.env;
if (FAST_CHECK_SEED !== "random") fc.configureGlobal({ seed: Number(FAST_CHECK_SEED) });
