import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import MarkdownIt, { type Token } from "markdown-it";

/** A page of the site and the Markdown file that it is made from. */
export interface SitePage {
  /** Path of the Markdown file in the repository. */
  readonly path: string;
  /** Path of the page in the site. */
  readonly href: string;
  readonly title: string;
  readonly group: string;
  readonly markdown: string;
  readonly images: readonly string[];
}

export interface SearchEntry {
  readonly page: string;
  readonly heading: string;
  readonly href: string;
  readonly text: string;
}

const markdownIt = new MarkdownIt({ html: false, linkify: false });

/** Groups of the navigation in display order, each with its pages in reading order. Unlisted pages are in the last group. */
const GROUPS: readonly (readonly [title: string, names: readonly string[]])[] = [
  ["Use", ["README", "concepts", "dashboard", "listening", "decisions", "policy", "views", "troubleshooting"]],
  ["Connect", ["install-agents", "agents", "agents-matrix", "hub", "sdk", "attach", "assistive-technology"]],
  ["Check", ["check", "check-live", "recordings", "rules", "aaep", "aep", "aop"]],
  ["Operate", ["config", "keeping", "security", "operations"]],
  ["Reference", ["cli", "errors", "implementers"]],
  ["Develop", ["CONTRIBUTING", "ARCHITECTURE", "CHANGELOG"]],
];
const DECISIONS_GROUP = "Architecture decisions";

/** Reads every page of the documentation. */
export function documentPages(root: string): readonly SitePage[] {
  return globSync(["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md", "docs/*.md", "docs/{rules,adr}/*.md"], { cwd: root })
    .map((path) => path.replaceAll("\\", "/"))
    .map((path): SitePage => {
      const markdown = readFileSync(join(root, path), "utf8");
      const name = nameOfPage(path);
      return {
        path,
        href: path === "README.md" ? "index.html" : path.replace(/\.md$/, ".html"),
        title: /^# (.+)$/m.exec(markdown)?.[1] ?? name,
        group: path.includes("/adr/") ? DECISIONS_GROUP : (GROUPS.find(([, names]) => names.includes(name))?.[0] ?? "Reference"),
        markdown,
        images: [...markdown.matchAll(/!\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, source = ""]) => source).filter((one) => !one.includes(":")),
      };
    })
    .toSorted((one, other) => orderOf(one) - orderOf(other) || one.path.localeCompare(other.path));
}

/** The file's name without its ending; the folder's for an index of a folder. */
function nameOfPage(path: string): string {
  return path.endsWith("/README.md") ? posix.basename(posix.dirname(path)) : posix.basename(path, ".md");
}

function orderOf({ path, group }: SitePage): number {
  const at = GROUPS.findIndex(([title]) => title === group);
  const names = GROUPS[at]?.[1] ?? [];
  const index = names.indexOf(nameOfPage(path));
  return (at < 0 ? GROUPS.length : at) * 100 + (index < 0 ? 99 : index);
}

/** The anchor of a heading, as GitHub names it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

/** One self-contained HTML page with navigation, search and the sections of the page. */
export function renderPage(page: SitePage, pages: readonly SitePage[]): string {
  const tokens = markdownIt.parse(page.markdown, {});
  const sections: (readonly [title: string, anchor: string])[] = [];
  tokens.forEach((token, index) => {
    if (token.type === "heading_open") {
      const title = textOf(tokens[index + 1]);
      token.attrSet("id", anchorOf(title));
      if (token.tag === "h2") sections.push([title, anchorOf(title)]);
    }
    for (const child of token.children ?? []) rewriteLink(child, page, pages);
  });
  const up = "../".repeat(page.href.split("/").length - 1);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)}${page.path === "README.md" ? "" : " - Earshot"}</title>
<link rel="stylesheet" href="${up}site.css">
</head>
<body data-up="${up}">
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="name" href="${up}index.html">Earshot</a>
<form role="search"><label>Search <input type="search" id="search" autocomplete="off"></label></form>
</header>
<div id="results" role="region" aria-live="polite" aria-label="Search results" hidden></div>
<div class="columns">
<nav aria-label="Pages">${renderNavigation(page, pages, up)}</nav>
<main id="content" tabindex="-1">
${markdownIt.renderer.render(tokens, markdownIt.options, {})}</main>
${sections.length < 2 ? "" : `<nav class="sections" aria-label="On this page"><p>On this page</p><ul>${sections.map(([title, anchor]) => `<li><a href="#${anchor}">${escapeHtml(title)}</a></li>`).join("")}</ul></nav>`}
</div>
<script src="${up}search-index.js"></script>
<script src="${up}search.js"></script>
</body>
</html>
`;
}

function renderNavigation(page: SitePage, pages: readonly SitePage[], up: string): string {
  const groups = [...new Set(pages.map(({ group }) => group))];
  return groups
    .map((group) => {
      const links = pages
        .filter((one) => one.group === group)
        .map((one) => `<li><a href="${up}${one.href}"${one === page ? ' aria-current="page"' : ""}>${escapeHtml(one.title)}</a></li>`);
      const isOpen = group !== DECISIONS_GROUP || page.group === group;
      return `<details${isOpen ? " open" : ""}><summary>${escapeHtml(group)}</summary><ul>${links.join("")}</ul></details>`;
    })
    .join("");
}

/** Links to Markdown files of the site lead to their pages; links to other files lead to the repository. */
function rewriteLink(token: Token, page: SitePage, pages: readonly SitePage[]): void {
  const href = token.type === "link_open" ? String(token.attrGet("href")) : "";
  if (href === "" || /^[a-z]+:|^#/i.test(href)) return;
  const [path = "", anchor] = href.split("#");
  const target = posix.join(posix.dirname(page.path), path).replace(/\/$/, "");
  const found = pages.find((one) => one.path === target || one.path === `${target}/README.md`);
  const to = found === undefined ? `${REPOSITORY}${target}` : posix.relative(posix.dirname(page.href), found.href);
  token.attrSet("href", anchor === undefined ? to : `${to}#${anchor}`);
}

const REPOSITORY = "https://github.com/earshot/earshot/blob/main/";

/** The sections of a page with their plain text, for the search. */
export function searchEntries(page: SitePage): readonly SearchEntry[] {
  const entries: { page: string; heading: string; href: string; text: string }[] = [];
  const tokens = markdownIt.parse(page.markdown, {});
  tokens.forEach((token, index) => {
    if (token.type === "heading_open") {
      const heading = textOf(tokens[index + 1]);
      entries.push({ page: page.title, heading, href: `${page.href}#${anchorOf(heading)}`, text: "" });
    } else if (
      (token.type === "inline" || token.type === "code_block" || token.type === "fence") &&
      tokens[index - 1]?.type !== "heading_open"
    ) {
      const last = entries.at(-1);
      if (last !== undefined) last.text += ` ${textOf(token)}`;
    }
  });
  return entries.map(({ text, ...entry }) => ({ ...entry, text: text.replaceAll(/\s+/g, " ").trim() }));
}

function textOf(token: Token | undefined): string {
  if (token === undefined) return "";
  if (token.children === null || token.children.length === 0) return token.content;
  return token.children.map((child) => (child.type === "softbreak" ? " " : child.type === "image" ? "" : child.content)).join("");
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
