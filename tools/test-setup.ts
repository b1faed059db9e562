import fc from "fast-check";

/**
 * Property tests run on the same thousands of cases everywhere, so that a build does not fail by chance. FAST_CHECK_SEED
 * takes another number, or `random` to search for new cases: `npm run test:random`.
 */
const { FAST_CHECK_SEED = "20261115" } = process.env;
if (FAST_CHECK_SEED !== "random") fc.configureGlobal({ seed: Number(FAST_CHECK_SEED) });
