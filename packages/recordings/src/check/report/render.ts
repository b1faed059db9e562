import type { Renderer } from "../report.ts";
import { renderHtml } from "./html.ts";
import { renderJson } from "./json.ts";
import { renderJunit } from "./junit.ts";
import { renderSarif } from "./sarif.ts";
import { renderText } from "./text.ts";

export type Format = "text" | "json" | "junit" | "sarif" | "html";

export const RENDERERS: Readonly<Record<Format, Renderer>> = {
  text: renderText,
  json: renderJson,
  junit: renderJunit,
  sarif: renderSarif,
  html: renderHtml,
};
