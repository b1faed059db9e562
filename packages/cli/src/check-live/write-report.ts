import { writeFile } from "node:fs/promises";
import { EarshotError } from "@earshot/protocol/problem";
import { EXIT, type Io } from "../io.ts";
import type { LiveReport } from "./live-report.ts";
import { renderLiveHtml } from "./report/html.ts";
import { renderLiveJson } from "./report/json.ts";
import { renderLiveText } from "./report/text.ts";

export interface ReportOptions {
  readonly json: boolean;
  /** Where the page goes; undefined for none. */
  readonly html: string | undefined;
}

/** Prints the report, writes the page where one is asked for, and says how the command ends. */
export async function writeReport(report: LiveReport, { json, html }: ReportOptions, io: Io): Promise<number> {
  if (html !== undefined) {
    await writeFile(html, renderLiveHtml(report)).catch((cause: unknown) => {
      const hint = "Check that the folder exists and may be written to.";
      throw new EarshotError({ code: "WRONG_USAGE", message: `The report cannot be written to ${html}.`, hint }, { cause });
    });
  }
  io.out(json ? renderLiveJson(report) : renderLiveText(report, { colour: io.terminal.colour, width: io.terminal.width }));
  // What showed nothing at all cannot be judged, which is not the same as conforming.
  if (report.ok && report.scenarios.every((scenario) => scenario.outcome === "not-shown")) return EXIT.unusable;
  return report.ok ? EXIT.ok : EXIT.found;
}
