import { describe, expect, it } from "vitest";
import { markup, markupLines } from "./markup.ts";
import { HOSTILE_TEXT } from "./testing/sample-report.ts";
import { assertWellFormed } from "./testing/well-formed.ts";

describe("markup", () => {
  it("escapes strings and keeps markup", () => {
    const inner = markup`<b>${"a < b & \"c\" 'd'"}</b>`;
    expect(markup`<p>${inner}${2}${[inner, inner]}</p>`.markup).toBe(`<p>${inner.markup}2${inner.markup}\n${inner.markup}</p>`);
    expect(inner.markup).toBe("<b>a &lt; b &amp; &quot;c&quot; &#39;d&#39;</b>");
  });

  it("makes anything safe in content and in attributes", () => {
    assertWellFormed(markup`<a b="${HOSTILE_TEXT}">${HOSTILE_TEXT}</a>`.markup);
  });

  it("keeps lines apart, but not those that a line brings along", () => {
    expect(markupLines(["one", "two\nthree"]).markup).toBe("one\ntwo\\nthree");
  });
});
