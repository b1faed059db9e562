import type { JsonObject } from "../../../packages/protocol/src/json.ts";

/** What the scripted model says next: words, or the use of a tool. `id` takes the place of a new call id. */
export type Line = { readonly says: string } | { readonly uses: string; readonly input: JsonObject; readonly id?: string };

/** What a model is asked, whatever the interface. */
export interface Turn {
  /** The names of the tools that it may use. */
  readonly tools: readonly string[];
  /** How many results of tools it has been told in this conversation. */
  readonly results: number;
  /** Everything it was sent, as one text. */
  readonly text: string;
}

/** What the model says at each turn: the same for the same turn. Several tools may be used at once. */
export type Script = (turn: Turn) => Line | readonly Line[];

/** How one interface is read and written. */
export interface Dialect {
  /** Undefined where the address is none of its. */
  readonly fits: (path: string) => boolean;
  readonly read: (body: JsonObject) => Omit<Turn, "text">;
  readonly write: (lines: readonly Line[], asked: { readonly path: string; readonly body: JsonObject; readonly number: number }) => Written;
}

export type Written = { readonly json: JsonObject } | { readonly events: readonly { readonly event?: string; readonly data: unknown }[] };
