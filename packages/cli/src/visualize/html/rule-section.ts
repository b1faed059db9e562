import type { Rule } from "@earshot/protocol";
import { quoted } from "../../check/report/html.ts";
import { type Markup, markup, NOTHING } from "../../check/report/markup.ts";
import type { Trace } from "../trace.ts";

type RuleOf = (id: string) => Rule | undefined;

/** A link to what the page says about the rule; what broke no rule has a code, which stands for itself. */
export function ruleLink(id: string, ruleOf: RuleOf): Markup {
  return ruleOf(id) === undefined ? markup`<code class="id">${id}</code>` : markup`<a href="#${anchorOf(id)}"><code>${id}</code></a>`;
}

/** Every rule that is broken, once: what it asks for, where it stands, what to do. */
export function ruleSection({ violations }: Trace, ruleOf: RuleOf): Markup {
  const rules = [...new Set(violations.map(({ rule }) => rule))].sort().flatMap((id) => {
    const rule = ruleOf(id);
    return rule === undefined ? [] : [{ id, rule }];
  });
  if (rules.length === 0) return NOTHING;
  return markup`<h2>What the rules say</h2>
${rules.map(({ id, rule }) => ruleMarkup(id, rule))}`;
}

function ruleMarkup(id: string, { title, section, hint }: Rule): Markup {
  return markup`<section class="finding" aria-labelledby="${anchorOf(id)}">
<h3 id="${anchorOf(id)}"><code class="id">${id}</code></h3>
<p class="title">${quoted(title, 400)}</p>
<dl>
<dt>To do</dt><dd>${quoted(hint, 400)}</dd>
<dt>Specification</dt><dd>${section}</dd>
<dt>More</dt><dd><code>earshot explain ${id}</code></dd>
</dl>
</section>`;
}

/** Ids of rules are ours: letters, hyphens and a slash. */
function anchorOf(id: string): string {
  return `about-${id.replace("/", "-")}`;
}
