import { resolve } from "node:path";

/** The published form of the command. `npm run build` and the test tiers that start processes build it. */
export const EARSHOT = resolve(import.meta.dirname, "../dist/earshot/bin/earshot.cjs");
