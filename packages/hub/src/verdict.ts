export type { Flag, StoredVerdict, Verdict } from "@earshot/judge";
