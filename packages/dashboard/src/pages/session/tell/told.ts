import type { Attachment } from "@earshot/protocol/activities";
import type { FileChange } from "../../../content/line-diff.ts";
import type { IconName } from "../icon.tsx";

export type Tone = "plain" | "soft" | "busy" | "good" | "warn" | "bad";

/** One thing that happened, in words and pieces that can be drawn. All texts of agents are in members that are drawn as theirs. */
export interface Told {
  readonly icon: IconName;
  readonly tone: Tone;
  /** What it is: "Thought", the name of a tool. */
  readonly title: string;
  /** What it is about, on the same line. */
  readonly subject?: { readonly text: string; readonly as: "code" | "words" };
  /** How it went: "failed after 3 s". */
  readonly outcome?: { readonly words: string; readonly tone: Tone };
  /** Always seen. */
  readonly body: readonly Piece[];
  /** Seen when it is opened. */
  readonly more: readonly Piece[];
  readonly facts: readonly Fact[];
  /** The session it leads to, by its id. */
  readonly child?: string;
}

export type Fact = readonly [label: string, value: string];

export type Piece = { readonly label?: string | undefined; readonly tone?: Tone } & (
  | { readonly show: "words"; readonly text: string; readonly style: string }
  | { readonly show: "typed"; readonly text: string; readonly type: string | undefined }
  | { readonly show: "code"; readonly text: string }
  | { readonly show: "command"; readonly text: string }
  | { readonly show: "json"; readonly value: unknown }
  | { readonly show: "members"; readonly value: Readonly<Record<string, unknown>>; readonly styles?: Readonly<Record<string, string>> }
  | { readonly show: "changes"; readonly changes: readonly FileChange[] }
  | { readonly show: "list"; readonly items: readonly string[] }
  | { readonly show: "attachments"; readonly attachments: readonly Attachment[] }
);

export function words(text: string | undefined, label?: string, style = "plain_text"): readonly Piece[] {
  return text === undefined || text.trim() === "" ? [] : [{ show: "words", text, style, ...(label === undefined ? {} : { label }) }];
}

export function markdown(text: string | undefined, style = "markdown", label?: string): readonly Piece[] {
  return words(text, label, style);
}

/** What there is of it: nobody reads of what nobody supplied. */
export function facts(all: Readonly<Record<string, string | number | undefined>>): readonly Fact[] {
  return Object.entries(all).flatMap(([label, value]): readonly Fact[] =>
    value === undefined || value === "" ? [] : [[label, String(value)]],
  );
}
