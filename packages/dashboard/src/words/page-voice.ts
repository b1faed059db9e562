import type { Voice } from "@earshot/narrate";

/** The format in which pages name amounts. */
export const PAGE_VOICE: Voice = { language: "en", isShort: true };
