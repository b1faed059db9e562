import type { Protocol } from "../protocol.ts";
import { AEP_LIVE, AEP_RECORDED } from "./live.ts";
import { readAep, recogniseAep } from "./read.ts";
import { AEP_REVISION } from "./revision.ts";
import { AEP_RULES } from "./rules.ts";

export const AEP: Protocol = {
  name: "aep",
  title: "Agent Event Protocol",
  version: AEP_REVISION.version,
  rules: AEP_RULES,
  levels: [
    { level: 1, name: "smoke", warningsCount: false, alsoCount: ["aep/no-null"] },
    { level: 2, name: "public rules", warningsCount: false, alsoCount: ["aep/no-null"] },
    { level: 3, name: "full", warningsCount: true, alsoCount: ["aep/should-carry"] },
  ],
  recognise: recogniseAep,
  read: readAep,
  live: AEP_LIVE,
  recorded: AEP_RECORDED,
};
