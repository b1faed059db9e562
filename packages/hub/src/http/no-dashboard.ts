import { createHash } from "node:crypto";

const STYLE = `
:root { color-scheme: light dark; font: 1.0625rem/1.6 system-ui, sans-serif; }
body { max-inline-size: 38rem; margin-inline: auto; padding: 3rem 1.25rem; color: light-dark(#1d2330, #e6e9f0); background: light-dark(#f7f8fa, #12151c); }
h1 { font-size: 1.6rem; line-height: 1.25; }
code { padding: 0.1em 0.35em; border: 1px solid light-dark(#d3d8e2, #3a4254); border-radius: 0.3em; font-size: 0.95em; overflow-wrap: anywhere; }
`;

/** What a browser is shown where the dashboard was not built or not installed. Nothing belongs to it but this text. */
export const NO_DASHBOARD_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>The dashboard is not here – Earshot</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>The dashboard is not here</h1>
<p>The hub runs and hears everything, but its pages were not built or not installed. Stop the hub with <code>earshot hub stop</code>, then:</p>
<ul>
<li>In a clone of the repository, run <code>npm start</code>. It builds the pages first.</li>
<li>Installed from npm, run <code>npm install --global earshot</code> again, and <code>earshot start</code>.</li>
</ul>
<p>Until then, a terminal does the same: <code>earshot inbox</code> shows what waits for you, <code>earshot tail</code> what happens.</p>
</main>
</body>
</html>
`;

/** It runs no code, calls nobody, and looks as its own style says and no other. */
export const NO_DASHBOARD_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");
