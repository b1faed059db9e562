import type { JsonObject } from "../../../packages/protocol/src/json.ts";

/** The scripted model's next step: text, or the use of a tool. `id` replaces a new call id. */
export type Line = { readonly says: string } | { readonly uses: string; readonly input: JsonObject; readonly id?: string };

/** A tool that the model may use. */
export interface OfferedTool {
  readonly name: string;
  /** The members of its input, where its schema lists them. */
  readonly members: readonly string[];
}

/** A model request, independent of the API. */
export interface Turn {
  readonly tools: readonly OfferedTool[];
  /** Number of tool results in this conversation. */
  readonly results: number;
  /** The whole request as text. */
  readonly text: string;
}

/** The model's steps at each turn: deterministic. Several tools may be used at once. */
export type Script = (turn: Turn) => Line | readonly Line[];

/** Reads and writes one API. */
export interface Dialect {
  /** Undefined if the address belongs to another API. */
  readonly fits: (path: string) => boolean;
  readonly read: (body: JsonObject) => Omit<Turn, "text">;
  readonly write: (lines: readonly Line[], asked: { readonly path: string; readonly body: JsonObject; readonly number: number }) => Written;
}

export type Written = { readonly json: JsonObject } | { readonly events: readonly { readonly event?: string; readonly data: unknown }[] };
