import type { ActivityAttachment } from "@earshot/protocol/activities";
import {
  capitalize,
  formatAgo,
  formatClock,
  formatDuration,
  formatMoment,
  formatNumber,
  formatShortDuration,
  formatShortMoney,
} from "../amounts.ts";
import type { FileChange } from "../changes/file-change.ts";
import { languageWordsFor } from "../sentences/languages.ts";
import type { Catalogue } from "../words/catalogue.ts";

/** The level of detail: 0 is terse, 3 is complete. A part is shown from its rank on. */
export type DetailRank = 0 | 1 | 2 | 3;

export type NarrationTone = "plain" | "soft" | "busy" | "good" | "warn" | "bad";

/** The subject area, for an icon. */
export type NarrationTopic =
  | "agents"
  | "answer"
  | "bell"
  | "cross"
  | "decision"
  | "dot"
  | "file"
  | "flag"
  | "globe"
  | "memory"
  | "pencil"
  | "play"
  | "prompt"
  | "question"
  | "search"
  | "terminal"
  | "thought"
  | "tool";

/** One item as structured words that surfaces lay out. Everything but titles, labels and outcomes is the agent's own text. */
export interface Narration {
  readonly topic: NarrationTopic;
  readonly tone: NarrationTone;
  /** "Thought", or the name of a tool. */
  readonly title: string;
  /** The object, on the same line. */
  readonly subject?: { readonly text: string; readonly as: "code" | "words" };
  /** The result: "failed after 3 s". */
  readonly outcome?: { readonly words: string; readonly tone: NarrationTone };
  readonly quotes: readonly Quote[];
  readonly facts: readonly Fact[];
  /** The id of the session it links to. */
  readonly child?: string;
}

export interface Fact {
  readonly rank: DetailRank;
  readonly label: string;
  readonly value: string;
}

/** The agent's own text. */
export type Quote = {
  readonly rank: DetailRank;
  readonly label: string;
  /** The title already says what it is, so the label is only needed after other parts. */
  readonly isMain?: true;
  readonly tone?: NarrationTone;
} & QuoteContent;

export type QuoteContent =
  | { readonly as: "prose"; readonly text: string; readonly style: string }
  | { readonly as: "typed"; readonly text: string; readonly type: string | undefined }
  | { readonly as: "code"; readonly text: string }
  | { readonly as: "command"; readonly text: string }
  | { readonly as: "json"; readonly value: unknown }
  | { readonly as: "members"; readonly value: Readonly<Record<string, unknown>> }
  | { readonly as: "changes"; readonly changes: readonly FileChange[] }
  | { readonly as: "list"; readonly items: readonly string[] }
  | { readonly as: "attachments"; readonly attachments: readonly ActivityAttachment[] };

/** The language and number format of a description. */
export interface DescriptionVoice {
  readonly language: string;
  /** Short units (`3 s`, `$0.12`) for narrow places. */
  readonly isShort: boolean;
}

/** The words of a voice. */
export class DescriptionWords {
  readonly catalogue: Catalogue;
  readonly story: Catalogue["story"];
  readonly sessions: Catalogue["sessions"];
  readonly isShort: boolean;
  readonly voice: DescriptionVoice;

  constructor(voice: DescriptionVoice) {
    this.voice = voice;
    this.isShort = voice.isShort;
    this.catalogue = languageWordsFor(voice.language).catalogue;
    this.story = this.catalogue.story;
    this.sessions = this.catalogue.sessions;
  }

  duration(ms: number): string {
    return this.isShort ? formatShortDuration(ms) : formatDuration(ms, this.catalogue.language);
  }

  money(usd: number): string {
    return this.isShort ? formatShortMoney(usd) : this.story.money(usd);
  }

  clock(at: number): string {
    return formatClock(at, this.catalogue.moments);
  }

  /** With the day, unless it is today. */
  moment(at: number, now: number): string {
    return formatMoment(at, now, this.catalogue.moments);
  }

  ago(at: number, now: number): string {
    return formatAgo(at, now, this.catalogue.moments);
  }

  number(number: number): string {
    return formatNumber(number, this.catalogue.language);
  }

  yesNo(value: boolean): string {
    return this.catalogue.decisions[value ? "yes" : "no"];
  }

  /** A member without a label in the catalogue gets its own name. */
  label(name: string): string {
    const { labels } = this.story;
    return Object.hasOwn(labels, name) ? labels[name as keyof typeof labels] : nameAsLabel(name);
  }

  /** A labeled text; none without text. */
  prose(
    name: string,
    text: string | undefined,
    more: { readonly rank?: DetailRank; readonly style?: string; readonly isMain?: true } = {},
  ): readonly Quote[] {
    if (text === undefined || text.trim() === "") return [];
    const { rank = 1, style = "plain_text", isMain } = more;
    return [{ rank, label: this.label(name), as: "prose", text, style, ...(isMain === undefined ? {} : { isMain }) }];
  }

  /** The main text of an activity. */
  main(name: string, text: string | undefined, style = "markdown"): readonly Quote[] {
    return this.prose(name, text, { style, isMain: true });
  }

  list(name: string, items: readonly string[] | undefined, rank: DetailRank = 1): readonly Quote[] {
    return items === undefined || items.length === 0 ? [] : [{ rank, label: this.label(name), as: "list", items }];
  }

  json(name: string, value: unknown, rank: DetailRank = 2): readonly Quote[] {
    return value === undefined ? [] : [{ rank, label: this.label(name), as: "json", value }];
  }

  /** Labeled facts of one rank, without undefined and empty ones. */
  facts(rank: DetailRank, members: Readonly<Record<string, string | number | boolean | undefined>>): readonly Fact[] {
    return Object.entries(members).flatMap(([name, value]) => {
      if (value === undefined || value === "") return [];
      const words = typeof value === "boolean" ? this.yesNo(value) : typeof value === "number" ? this.number(value) : value;
      return [{ rank, label: this.label(name), value: words }];
    });
  }
}

/** `expectedMs`, `token_spend`: as a label. */
function nameAsLabel(name: string): string {
  return capitalize(
    name
      .replaceAll(/[_-]+/g, " ")
      .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, " ")
      .trim()
      .toLowerCase(),
  );
}
