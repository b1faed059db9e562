export type { Flag, Stored, Verdict } from "@earshot/judge";
