import { describe, expect, it } from "vitest";
import { addToToml, ownToml, readTomlText, removeFromToml } from "./edit-toml.ts";

describe("reading TOML", () => {
  it.each([
    ["a = 1\nb.c = 'x' # y\n", ["value a", "value b.c"]],
    ['[t]\n"q k" = """\nline [[hooks]]\n"""\n', ["table t", 'value "q k"']],
    ["[[hooks]]\nevent = 'x'\n[[hooks]]\n", ["list hooks", "value event", "list hooks"]],
    ["a = [1, # one\n  'two', [3]]\nd = { x = 1, y = { z = [] } }\n", ["value a", "value d"]],
    [
      "a = 1979-05-27T07:32:00Z\nb = +1.5e3\nc = 0xff\nd = inf\ne = 07:32:00\nf=true",
      ["value a", "value b", "value c", "value d", "value e", "value f"],
    ],
    ["[ a . 'b.c' ]\r\nx=1\r\n", ["table a . 'b.c'", "value x"]],
  ])("finds the statements of %j", (text, expected) => {
    const reading = readTomlText(text);
    expect(reading.ok && reading.statements.map(({ kind, name }) => `${kind} ${name}`)).toEqual(expected);
  });

  it.each(["a", "a =", "a = b", "a = 1 2", "[a", "[[a]", "= 1", "a = [1", "a = {x}", "a = 'x", 'a = "\\', "a = 1\n]", '"""'])(
    "refuses %j",
    (text) => {
      expect(readTomlText(text).ok).toBe(false);
    },
  );
});

describe("the marked lines", () => {
  it("hold any text, and are found again", () => {
    const command = 'it\'s "x" \\ \u007f \t ü';
    const added = addToToml("a = 1\n", "hooks", [{ event: "A", command, timeout: 3 }]);
    expect(added.ok && readTomlText(added.text).ok).toBe(true);
    if (!added.ok) return;
    expect(ownToml(added.text)).toContain('command = "it\'s \\"x\\" \\\\ \\u007F \\t ü"');
    expect(removeFromToml(added.text)).toEqual({ ok: true, text: "a = 1\n" });
    expect(removeFromToml(added.text.replace("# <<< earshot", ""))).toMatchObject({ ok: false });
  });
});
