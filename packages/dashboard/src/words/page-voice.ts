import type { DescriptionVoice } from "@earshot/narrate";

/** The format in which pages name amounts. */
export const PAGE_VOICE: DescriptionVoice = { language: "en", isShort: true };
