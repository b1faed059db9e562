import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bash, file, PLACES } from "../../testing/policies.ts";
import { describeAsked } from "./describe-asked.ts";
import { showHidden } from "./show-hidden.ts";

describe("what a card shows", () => {
  it("is the simple commands, what each does, the files, and what does harm", () => {
    const shown = describeAsked(bash("sudo rm -rf src && cp a.txt b.txt", { said: "Tidying up", risk: "low" }), PLACES);
    expect(shown).toEqual({
      command: { shown: "sudo rm -rf src && cp a.txt b.txt", hidden: [] },
      parts: [
        {
          command: "rm -rf src",
          via: ["sudo"],
          effect: "Deletes /home/ann/app/src, with everything in it, with other rights (sudo).",
          dangers: ["delete-recursive"],
        },
        { command: "cp a.txt b.txt", via: [], effect: "Writes /home/ann/app/b.txt, reads /home/ann/app/a.txt.", dangers: [] },
      ],
      inspectable: true,
      files: [
        { path: "/home/ann/app/src", access: "delete", exact: true, secret: false },
        { path: "/home/ann/app/a.txt", access: "read", exact: true, secret: false },
        { path: "/home/ann/app/b.txt", access: "write", exact: true, secret: false },
      ],
      dangers: [{ id: "delete-recursive", sentence: "Deletes folders with everything in them." }],
      risk: "high",
      reversible: false,
      said: { shown: "Tidying up", hidden: [] },
    });
  });

  it("lists no files for the remotes and branches that git is given", () => {
    expect(describeAsked(bash("git push --force origin main"), PLACES).files).toEqual([]);
    expect(describeAsked(bash("git -C lib tag v1"), PLACES).files).toEqual([]);
    expect(describeAsked(bash("git add a.txt"), PLACES).files).toMatchObject([{ path: "/home/ann/app/a.txt", access: "read" }]);
  });

  it("says what cannot be known", () => {
    expect(describeAsked(bash("$CMD x"), PLACES)).toMatchObject({
      inspectable: false,
      uninspectable: "Which program runs is only known when it runs: `$CMD`.",
      parts: [{ effect: "Runs a program that is only known then." }],
      risk: "high",
    });
    expect(describeAsked(bash("rm $F"), PLACES).files).toEqual([{ path: "$F", access: "delete", exact: false, secret: false }]);
  });

  it.each([
    ["cd src", "Goes to src."],
    ["git push", "Sends commits to the remote."],
    ["npm install x", "Installs packages, and runs their install scripts."],
    ["npm run build", "Runs the project's own script build."],
    ["curl -s https://example.com/x", "Talks to https://example.com/x."],
    ["cat a b", "Reads /home/ann/app/a, /home/ann/app/b."],
    ["X=1", "Sets X."],
    ["evil a", "Runs evil."],
    ["ssh host ls /srv", "Reads /srv, somewhere else (ssh)."],
    ["rm a b c d e f", "Deletes /home/ann/app/a, /home/ann/app/b, /home/ann/app/c, /home/ann/app/d and 2 more."],
  ])("puts %s into words", (command, effect) => expect(describeAsked(bash(command), PLACES).parts[0]?.effect).toBe(effect));

  it("is made for other tools, too", () => {
    expect(describeAsked(file("Edit", ".env", "write"), PLACES)).toMatchObject({
      parts: [{ effect: "Writes /home/ann/app/.env." }],
      files: [{ path: "/home/ann/app/.env", access: "write", exact: true, secret: true }],
    });
    expect(describeAsked({ moment: "action", tool: "mcp__x__y" })).toEqual({
      parts: [{ via: [], effect: "Does what its arguments say.", dangers: [] }],
      inspectable: true,
      files: [],
      dangers: [],
    });
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), fc.string({ unit: "binary" }), (command, said) => {
        const { command: shown } = describeAsked(bash(command, { said }), PLACES);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
        expect(shown?.shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("hidden characters", () => {
  it.each([
    ["a direction that is turned", "rm \u202ecod.txt", "rm ⟨U+202E right-to-left override⟩cod.txt", "direction"],
    ["an isolate", "a\u2066b", "a⟨U+2066 left-to-right isolate⟩b", "direction"],
    ["a zero width space", "r\u200bm", "r⟨U+200B zero width space⟩m", "invisible"],
    ["a tag", "ls\u{e0041}", "ls⟨U+E0041⟩", "invisible"],
    ["an escape", "ls\u001b[2K", "ls⟨U+001B escape⟩[2K", "control"],
    ["a carriage return", "rm x\recho", "rm x⟨U+000D carriage return⟩echo", "control"],
    ["a space that is none", "rm\u00a0-rf", "rm⟨U+00A0⟩-rf", "space"],
    ["a Hangul filler", "a\u3164b", "a⟨U+3164 Hangul filler⟩b", "invisible"],
  ])("are written out: %s", (_what, text, shown, kind) => {
    expect(showHidden(text)).toMatchObject({ shown, hidden: [{ kind }] });
  });

  it("are counted", () => {
    expect(showHidden("a\u200bb\u200bc").hidden).toEqual([{ kind: "invisible", told: "U+200B zero width space, 2 times." }]);
  });

  it("do not include what one can see", () => {
    for (const text of ["ls -la\n\tcat 'ä ö 漢字 😀'\n\n\n  indented", "привет мир", "αβγ"])
      expect(showHidden(text)).toEqual({ shown: text, hidden: [] });
  });

  it("are padding, too", () => {
    expect(showHidden(`ls${"\n".repeat(500)}rm -rf /`)).toEqual({
      shown: "ls\n⟨500 line breaks⟩\nrm -rf /",
      hidden: [{ kind: "padding", told: "500 line breaks push what follows out of sight." }],
    });
    expect(showHidden(`ls ${" ".repeat(300)}; rm x`).shown).toBe("ls ⟨301 spaces⟩ ; rm x");
  });

  it("are letters of another alphabet among one's own", () => {
    expect(showHidden("cat pаsswd").hidden).toEqual([{ kind: "look-alike", told: "“pаsswd” mixes alphabets: а (U+0430)." }]);
  });

  it("are bounded", () => {
    const text = Array.from({ length: 5000 }, (_, index) => String.fromCodePoint(0xe0000 + (index % 128))).join("x");
    expect(showHidden(text).hidden.length).toBeLessThanOrEqual(20);
  });
});
