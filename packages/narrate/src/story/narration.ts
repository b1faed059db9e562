import type { Attachment } from "@earshot/protocol/activities";
import { capitalize, formatDuration, formatNumber, formatShortDuration, formatShortMoney } from "../amounts.ts";
import type { FileChange } from "../changes/file-change.ts";
import { tongueFor } from "../sentences/languages.ts";
import type { Catalogue } from "../words/catalogue.ts";

/** How much a listener or reader wants: 0 is terse, 3 is complete. A part has the rank from which on it is shown. */
export type Rank = 0 | 1 | 2 | 3;

export type NarrationTone = "plain" | "soft" | "busy" | "good" | "warn" | "bad";

/** What it is about, for a drawing beside it. */
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

/** One thing that happened: structured words, which surfaces lay out. Everything but titles, labels and outcomes is the agent's own. */
export interface Narration {
  readonly topic: NarrationTopic;
  readonly tone: NarrationTone;
  /** What it is: "Thought", the name of a tool. */
  readonly title: string;
  /** What it is about, on the same line. */
  readonly subject?: { readonly text: string; readonly as: "code" | "words" };
  /** How it went: "failed after 3 s". */
  readonly outcome?: { readonly words: string; readonly tone: NarrationTone };
  readonly quotes: readonly Quote[];
  readonly facts: readonly Fact[];
  /** The session it leads to, by its id. */
  readonly child?: string;
}

export interface Fact {
  readonly rank: Rank;
  readonly label: string;
  readonly value: string;
}

/** What the agent said or used, as it is. */
export type Quote = {
  readonly rank: Rank;
  readonly label: string;
  /** The title says what it is: a label is only needed where something else stands between them. */
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
  | { readonly as: "attachments"; readonly attachments: readonly Attachment[] };

/** The language and the form of numbers in which something is described. */
export interface Voice {
  readonly language: string;
  /** Short units (`3 s`, `$0.12`), where there is little room. */
  readonly isShort: boolean;
}

/** The words of a voice. */
export class Wording {
  readonly catalogue: Catalogue;
  readonly story: Catalogue["story"];
  readonly isShort: boolean;

  constructor(voice: Voice) {
    this.isShort = voice.isShort;
    this.catalogue = tongueFor(voice.language).catalogue;
    this.story = this.catalogue.story;
  }

  duration(ms: number): string {
    return this.isShort ? formatShortDuration(ms) : formatDuration(ms, this.catalogue.language);
  }

  money(usd: number): string {
    return this.isShort ? formatShortMoney(usd) : this.story.money(usd);
  }

  number(number: number): string {
    return formatNumber(number, this.catalogue.language);
  }

  yesNo(value: boolean): string {
    return this.catalogue.decisions[value ? "yes" : "no"];
  }

  /** A member that has no label in the catalogue is labeled by its own name. */
  label(name: string): string {
    const { labels } = this.story;
    return Object.hasOwn(labels, name) ? labels[name as keyof typeof labels] : nameAsLabel(name);
  }

  /** A text by its label; none where there is no text. */
  prose(
    name: string,
    text: string | undefined,
    more: { readonly rank?: Rank; readonly style?: string; readonly isMain?: true } = {},
  ): readonly Quote[] {
    if (text === undefined || text.trim() === "") return [];
    const { rank = 1, style = "plain_text", isMain } = more;
    return [{ rank, label: this.label(name), as: "prose", text, style, ...(isMain === undefined ? {} : { isMain }) }];
  }

  /** The text that an activity is for. */
  main(name: string, text: string | undefined, style = "markdown"): readonly Quote[] {
    return this.prose(name, text, { style, isMain: true });
  }

  list(name: string, items: readonly string[] | undefined, rank: Rank = 1): readonly Quote[] {
    return items === undefined || items.length === 0 ? [] : [{ rank, label: this.label(name), as: "list", items }];
  }

  json(name: string, value: unknown, rank: Rank = 2): readonly Quote[] {
    return value === undefined ? [] : [{ rank, label: this.label(name), as: "json", value }];
  }

  /** Facts of one rank by their labels; what is undefined or empty is left out. */
  facts(rank: Rank, members: Readonly<Record<string, string | number | boolean | undefined>>): readonly Fact[] {
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
