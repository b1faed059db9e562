import type { Renderer } from "../report.ts";
import { renderCheckHtml } from "./html.ts";
import { renderJson } from "./json.ts";
import { renderJunit } from "./junit.ts";
import { renderSarif } from "./sarif.ts";
import { renderCheckText } from "./text.ts";

export type Format = "text" | "json" | "junit" | "sarif" | "html";

export const RENDERERS: Readonly<Record<Format, Renderer>> = {
  text: renderCheckText,
  json: renderJson,
  junit: renderJunit,
  sarif: renderSarif,
  html: renderCheckHtml,
};
