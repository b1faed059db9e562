import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const PAGES = globSync(["*.md", "docs/**/*.md", "packages/*/README.md", "conformance/*.md"], { cwd: root });
/** Pages that `npm run generate` or a scenario writes as a whole. */
const GENERATED_PAGES = new Set(["agents.md", "agents-matrix.md", "cli.md", "errors.md"]);
const MAX_WRITTEN_PAGES = 20;

/** The anchors of a page's headings, as GitHub names them. */
function anchorsOf(markdown: string): ReadonlySet<string> {
  const headings = markdown.replaceAll(/^```[\s\S]*?^```/gm, "").matchAll(/^#{1,6} (.+)$/gm);
  return new Set(
    [...headings].map(([, title = ""]) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
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
