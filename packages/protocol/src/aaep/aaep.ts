import type { Protocol } from "../protocol.ts";
import { AAEP_LIVE, AAEP_RECORDED } from "./live.ts";
import { readAaep, recogniseAaep } from "./read.ts";
import { AAEP_REVISION } from "./revision.ts";
import { AAEP_RULES } from "./rules.ts";

export const AAEP: Protocol = {
  name: "aaep",
  title: "Agent Accessibility Event Protocol",
  version: AAEP_REVISION.version,
  rules: AAEP_RULES,
  levels: [
    { level: 1, name: "Notification", warningsCount: false, alsoCount: [] },
    { level: 2, name: "Interactive", warningsCount: false, alsoCount: [] },
    { level: 3, name: "Negotiated", warningsCount: false, alsoCount: [] },
  ],
  recognise: recogniseAaep,
  read: readAaep,
  live: AAEP_LIVE,
  recorded: AAEP_RECORDED,
};
