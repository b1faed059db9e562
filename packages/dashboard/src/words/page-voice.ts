import type { Voice } from "@earshot/narrate";

/** How pages name amounts. */
export const PAGE_VOICE: Voice = { language: "en", isShort: true };
