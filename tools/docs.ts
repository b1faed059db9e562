import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { documentPages, renderPage, type SitePage, searchEntries } from "./site/render-page.ts";

/**
 * Builds the documentation as a static site with search, from the same files as on GitHub:
 *
 *     npm run docs [FOLDER]
 *
 * The default folder is dist/docs. The pages need no server.
 */
const root = join(import.meta.dirname, "..");
const folder = process.argv[2] ?? join(root, "dist/docs");
const pages: readonly SitePage[] = documentPages(root);

rmSync(folder, { recursive: true, force: true });
for (const page of pages) {
  const target = join(folder, page.href);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, renderPage(page, pages));
}
const images = new Set(pages.flatMap(({ images: found, path }) => found.map((one) => posix.join(posix.dirname(path), one))));
for (const image of images) {
  mkdirSync(dirname(join(folder, image)), { recursive: true });
  cpSync(join(root, image), join(folder, image));
}
for (const name of ["site.css", "search.js"]) cpSync(join(import.meta.dirname, "site", name), join(folder, name));
writeFileSync(join(folder, "search-index.js"), `window.searchIndex = ${JSON.stringify(pages.flatMap(searchEntries))};\n`);
const bytes = readFileSync(join(folder, "search-index.js")).byteLength;
console.log(`${pages.length} pages in ${folder}; search index ${Math.round(bytes / 1000)} kB.`);
