import fc from "fast-check";
import { readJson } from "../src/json.ts";
import { replaceSomewhere } from "./aep.ts";
import { jumble } from "./aop.ts";
import { createPick, type Defect, type Recording } from "./defect.ts";

const VALUES = ["", "__proto__", "x".repeat(5000), "😀".repeat(300), -1, 0.5, 1e308, 2 ** 53, null, true, [], {}, ["a", 1], { id: "x" }];

/** Recordings, some with a defect, members replaced by arbitrary values, and items that overtake each other or arrive twice. */
export function disturb(recordings: fc.Arbitrary<Recording>, defects: readonly Defect[]): fc.Arbitrary<Recording> {
  return fc.tuple(recordings, fc.nat()).map(([recording, seed]): Recording => {
    const pick = createPick(seed);
    let broken = recording;
    if (pick(3) > 0) broken = defects[pick(defects.length)]?.apply(broken, pick) ?? broken;
    for (let count = pick(2) * pick(5); count > 0; count--) broken = replaceSomewhere(broken, pick, VALUES[pick(VALUES.length)]);
    if (pick(3) === 0) broken = jumble(broken, pick);
    return broken.filter((item) => readJson(JSON.stringify(item)).ok);
  });
}
