import { readFileSync } from "node:fs";

export interface UiAsset {
  readonly path: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** Every file of the page, by name: nothing in an address ever becomes the name of a file. */
const FILES = [
  ["/ui/", "page.html", "text/html; charset=utf-8"],
  ["/ui/page.css", "page.css", "text/css; charset=utf-8"],
  ["/ui/page.js", "page.js", "text/javascript; charset=utf-8"],
  ["/ui/admitted.js", "admitted.js", "text/javascript; charset=utf-8"],
  ["/ui/device.js", "device.js", "text/javascript; charset=utf-8"],
  ["/ui/view.js", "view.js", "text/javascript; charset=utf-8"],
] as const;

/** They stand beside the sources and beside what is built, at the same distance. */
export function readUiAssets(): readonly UiAsset[] {
  return FILES.map(([path, file, type]) => ({ path, type, bytes: readFileSync(new URL(`../../assets/${file}`, import.meta.url)) }));
}
