import type { Protocol } from "../protocol.ts";
import { createAaepJudge } from "./judge.ts";
import { AAEP_LIVE } from "./live.ts";
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
  createJudge: createAaepJudge,
  live: AAEP_LIVE,
};
