import { sep } from "node:path";

/**
 * A path as the URI reference by which SARIF names a file: relative paths stay relative (code hosts resolve them against
 * the repository), absolute ones become `file:` URIs.
 */
export function artifactUri(path: string, separator: string = sep): string {
  const slashed = separator === "/" ? path : path.replaceAll(separator, "/");
  const drive = /^[a-z]:\//i.exec(slashed)?.[0];
  if (drive !== undefined) return `file:///${drive}${encodePath(slashed.slice(drive.length))}`;
  if (slashed.startsWith("//")) return `file:${encodePath(slashed)}`;
  return slashed.startsWith("/") ? `file://${encodePath(slashed)}` : encodePath(slashed);
}

/** A lone half of a surrogate pair has no encoding at all. */
function encodePath(path: string): string {
  return path
    .toWellFormed()
    .split("/")
    .map((segment) => encodeURIComponent(segment))
    .join("/");
}
