import { describe, expect, it } from "vitest";
import { inspectAsked } from "./inspection.ts";
import { samplesAt } from "./testing/sample-request.ts";

const { sampleAsked } = samplesAt(0);

describe("what is found in the input", () => {
  it("is every simple command, with what it is wrapped in and what it does", () => {
    const { commands, files, dangers, irreversible, risk } = inspectAsked(
      sampleAsked({ input: { command: "cd build && sudo bash -c 'rm -rf /srv/notes; cat /home/ana/.ssh/id_rsa'" } }),
    );
    expect(commands.map(({ text, via }) => [text, via])).toEqual([
      ["cd build", []],
      ["rm -rf /srv/notes", ["sudo", "bash"]],
      ["cat /home/ana/.ssh/id_rsa", ["sudo", "bash"]],
    ]);
    expect(commands[1]?.dangers).toContain("delete-recursive");
    expect(dangers).toContainEqual({ id: "delete-recursive", sentence: "Deletes folders with everything in them." });
    expect(files).toContainEqual({ path: "/home/ana/.ssh/id_rsa", what: "reads", notes: ["looks like a secret"] });
    expect([irreversible, risk]).toEqual([true, "high"]);
  });

  it("is what a screen would hide, wherever it stands", () => {
    const { hidden } = inspectAsked(sampleAsked({ title: "Write", input: { file_path: "/w/a", content: "a\u200bb" } }));
    expect(hidden).toEqual(["U+200B zero width space, once."]);
  });

  it("knows the person's folders", () => {
    const asked = sampleAsked({ input: { command: "rm -rf ~/.earshot" } });
    const { files } = inspectAsked(asked, { home: "/home/ana", earshot: "/home/ana/.earshot" });
    expect(files.map(({ path, what }) => [path, what])).toEqual([["/home/ana/.earshot", "deletes"]]);
  });

  it("says nothing of words that may be files of the project", () => {
    expect(inspectAsked(sampleAsked({ input: { command: "some-tool src/cart.ts" } })).files).toEqual([]);
  });
});
