import { ownOptions } from "../plain/own.ts";
import { toErrorMessage } from "../plain/text.ts";
import type { ToolEndOptions } from "./session-options.ts";

/** A started tool call. It ends once; later results are dropped. */
export class ToolCall {
  /** The `tool_call_id` that joins start and end. */
  readonly id: string;
  readonly name: string;
  #end: ((success: boolean, options: ToolEndOptions) => void) | undefined;

  constructor(id: string, name: string, end: (success: boolean, options: ToolEndOptions) => void) {
    this.id = id;
    this.name = name;
    this.#end = end;
  }

  succeeded(options?: ToolEndOptions): void {
    this.#finish(true, ownOptions(options));
  }

  /** `error` describes the failure unless a summary is given. */
  failed(error?: unknown, options?: ToolEndOptions): void {
    const given = ownOptions(options);
    const summary = given.resultSummary ?? (error === undefined ? undefined : toErrorMessage(error));
    this.#finish(false, { ...given, resultSummary: summary });
  }

  #finish(success: boolean, options: ToolEndOptions): void {
    const end = this.#end;
    this.#end = undefined;
    end?.(success, options);
  }
}
