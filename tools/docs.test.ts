import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { expect, test } from "vitest";
import { anchorOf, documentPages, renderPage, searchEntries } from "./site/render-page.ts";

const root = join(import.meta.dirname, "..");
const PAGES = globSync(["*.md", "docs/**/*.md", "packages/*/README.md", "conformance/*.md"], { cwd: root });
/** Pages that `npm run generate` or a scenario writes as a whole. */
const GENERATED_PAGES = new Set(["agents.md", "agents-matrix.md", "cli.md", "errors.md"]);
const MAX_WRITTEN_PAGES = 20;

/** The anchors of a page's headings. */
function anchorsOf(markdown: string): ReadonlySet<string> {
  const headings = markdown.replaceAll(/^```[\s\S]*?^```/gm, "").matchAll(/^#{1,6} (.+)$/gm);
  return new Set([...headings].map(([, title = ""]) => anchorOf(title)));
}

test.each(PAGES)("every link of %s leads to a file and a heading that exist", (page) => {
  const text = readFileSync(join(root, page), "utf8").replaceAll(/^```[\s\S]*?^```/gm, "");
  const links = [...text.matchAll(/\]\(((?!https?:|mailto:)[^)\s]+)\)/g)].map(([, link = ""]) => link);
  const broken = links.filter((link) => {
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? join(root, page) : join(root, dirname(page), decodeURI(path));
    if (!existsSync(target)) return true;
    return anchor !== undefined && target.endsWith(".md") && !anchorsOf(readFileSync(target, "utf8")).has(anchor);
  });
  expect(broken).toEqual([]);
});

test("the documentation has few hand-written pages, each linked from the README or another page", () => {
  const written = globSync("docs/*.md", { cwd: root })
    .map((path) => relative("docs", path))
    .filter((name) => !GENERATED_PAGES.has(name));
  expect(written.length).toBeLessThanOrEqual(MAX_WRITTEN_PAGES);
  const all = PAGES.map((page) => readFileSync(join(root, page), "utf8")).join("\n");
  expect(written.filter((name) => !new RegExp(`\\]\\((?:docs/)?${name.replace(".", "\\.")}[)#]`).test(all))).toEqual([]);
});

test("the site has a page for every document, and its links lead to pages and headings of the site", () => {
  const pages = documentPages(root);
  const html = new Map(pages.map((page) => [page.href, renderPage(page, pages)] as const));
  expect(html.size).toBeGreaterThan(40);
  const broken: string[] = [];
  for (const [href, text] of html)
    for (const [, link = ""] of text.matchAll(/<a href="((?!https?:|mailto:)[^"]+)"/g)) {
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? href : posix.join(posix.dirname(href), path);
      const found = html.get(target);
      if (found === undefined || (anchor !== undefined && anchor !== "content" && !found.includes(`id="${anchor}"`)))
        broken.push(`${href}: ${link}`);
    }
  expect(broken).toEqual([]);
});

test("the search index has every section with its plain text", () => {
  const readme = documentPages(root).find(({ path }) => path === "README.md");
  const entries = readme === undefined ? [] : searchEntries(readme);
  expect(entries.find(({ heading }) => heading === "Start")).toMatchObject({
    href: "index.html#start",
    text: expect.stringContaining("npm start"),
  });
});
