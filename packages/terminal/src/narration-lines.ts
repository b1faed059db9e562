import {
  type DescriptionVoice,
  DescriptionWords,
  describeItem,
  describeNotices,
  type Fact,
  formatSize,
  type HubNotice,
  type NarratedItem,
  type Narration,
  type NarrationTone,
  type Quote,
} from "@earshot/narrate";
import { jsonInWords } from "./json-in-words.ts";
import { ENGLISH_TEXTS, type TextWords } from "./passage.ts";
import type { Labelled, OutputItem, Tone } from "./saying.ts";

/** How amounts are formatted in a terminal. */
export const TERMINAL_VOICE: DescriptionVoice = { language: "en", isShort: false };

export function terminalWording(language: string): DescriptionWords {
  return new DescriptionWords({ ...TERMINAL_VOICE, language });
}

const TONES: Readonly<Record<NarrationTone, Tone>> = {
  plain: "plain",
  soft: "plain",
  busy: "plain",
  good: "good",
  warn: "warning",
  bad: "bad",
};

/** Converts a narration: title and outcome first, then the subject, then everything else with its label. */
export function toOutputItem(
  { topic, tone, title, subject, outcome, quotes, facts }: Narration,
  notices: readonly HubNotice[] = [],
  texts: TextWords = ENGLISH_TEXTS,
): OutputItem {
  const main = subject === undefined ? quotes.find((quote) => quote.isMain === true && isText(quote) && quote.label !== "") : undefined;
  const words = subject?.text ?? (main !== undefined && isText(main) ? main.text : undefined);
  const rest = quotes.filter((quote) => quote !== main && !(isText(quote) && quote.text === words));
  const others = rest.map((quote): Labelled => ({ label: quote.label, text: textOf(quote, texts) }));
  const isLong = (quote: Quote | undefined) =>
    quote?.rank === 3 || quote?.as === "changes" || quote?.as === "list" || quote?.as === "attachments";
  return {
    what: title,
    tone: topic === "prompt" ? "heading" : TONES[tone],
    remarks: outcome === undefined ? [] : [outcome.words],
    ...(words === undefined ? {} : { words }),
    parts: [...others.filter((_part, index) => !isLong(rest[index])), ...facts.toSorted((one, other) => one.rank - other.rank).map(toPart)],
    below: [...others.filter((_part, index) => isLong(rest[index])), ...notices.map(toBelow)],
  };
}

function isText(quote: Quote): quote is Quote & { readonly text: string } {
  return "text" in quote;
}

function toBelow({ label, text, tone, rule }: HubNotice): Labelled {
  return { label: rule === undefined ? label : `${label}, ${rule}`, text, tone: TONES[tone] };
}

function toPart({ label, value }: Fact): Labelled {
  return { label, text: value };
}

const SIGNS = { same: " ", gone: "-", new: "+", skip: "…" } as const;

function textOf(quote: Quote, texts: TextWords): string {
  switch (quote.as) {
    case "json":
    case "members":
      return jsonInWords(quote.value, texts);
    case "list":
      return quote.items.join("\n");
    case "attachments":
      return quote.attachments
        .map(({ name, type, mimeType, url, sizeBytes }) =>
          [name, type, mimeType, sizeBytes === undefined ? undefined : formatSize(sizeBytes), url]
            .filter((one) => one !== undefined)
            .join(", "),
        )
        .join("\n");
    case "changes":
      return quote.changes
        .map(({ path, lines }) => [...(path === "" ? [] : [path]), ...lines.map(({ kind, text }) => `${SIGNS[kind]} ${text}`)].join("\n"))
        .join("\n");
    default:
      return quote.text;
  }
}

/** One item of a story with its notices; flags of severity `info` are omitted unless `notes` is set. */
export function toItemSaying(
  item: NarratedItem,
  { story, voice, sessions }: DescriptionWords,
  { notes }: { readonly notes: boolean },
): OutputItem {
  const narration = describeItem(item, voice);
  const flags = notes ? item.flags : item.flags.filter(({ severity }) => severity !== "info");
  const notices = describeNotices({ alerts: item.alerts, flags }, voice);
  if (item.continues === undefined) return toOutputItem(narration, notices, sessions.texts);
  // The whole item is shown above; this part only adds its notices.
  const { title, outcome } = narration;
  const words = outcome === undefined ? title : `${title}, ${outcome.words}`;
  return { what: story.more(item.continues), words, below: notices.map(toBelow) };
}
