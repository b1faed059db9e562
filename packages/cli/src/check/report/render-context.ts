import type { ProblemCode, Rule } from "@earshot/protocol";
import type { CheckReport } from "../report.ts";

/** Everything a rendering may depend on besides the report itself. */
export interface RenderContext {
  readonly ruleOf: (id: string) => Rule | undefined;
  /** What a code means, for problems that break no rule; without it the code stands for itself. */
  readonly kindOf?: (code: ProblemCode) => { readonly title: string; readonly help: string } | undefined;
  /** The version of Earshot. */
  readonly version: string;
  /** Whether the text may be coloured. */
  readonly colour: boolean;
  /** Columns to fill; 0 when there is no terminal to fit. */
  readonly width: number;
}

/** Pure: the same report and context give the same bytes. The result ends with a newline. */
export type Renderer = (report: CheckReport, context: RenderContext) => string;
