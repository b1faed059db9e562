import { describe, expect, test } from "vitest";
import { DANGERS } from "../../../policy/src/catalogue/dangers.ts";
import { GERMAN_DANGERS } from "../words/german-dangers.ts";
import type { AskedRequest, NarratedInspection, NarratedRequest } from "./request.ts";
import { speakRequest } from "./speak-request.ts";

type Asked = AskedRequest;

const WORKSPACE = { workspace: { cwd: "/home/ana/shop" } };

function request(asked: Partial<Asked>, more: Partial<NarratedRequest> & { readonly answers?: readonly string[] } = {}): NarratedRequest {
  const { answers = ["allow", "deny"], ...rest } = more;
  const card: Asked = {
    kind: "permission",
    protocol: "aep",
    session: "s",
    agent: "claude",
    title: "Bash",
    said: [],
    risk: "unknown",
    irreversible: false,
    facts: WORKSPACE,
    ...asked,
  };
  return { card: { asked: card, terms: { answers, silence: { answer: { word: "ask" }, by: "hub" }, besideDialog: false } }, ...rest };
}

const told = (one: NarratedRequest, language = "en") => speakRequest(one, { language, from: "Claude in shop" }).text;

const REMOVAL = request({ input: { command: "rm -rf build" }, risk: "high", irreversible: true }, { leftMs: 120_000 });

test("a command is heard as what it does, with risk, way back, time and numbered answers", () => {
  expect(told(REMOVAL)).toBe(
    "Claude in shop wants to remove build with everything in it. High risk. Cannot be undone. You have about two minutes. 1 allow, 2 deny.",
  );
  expect(told(REMOVAL, "de")).toBe(
    "Claude in shop will build mit allem darin entfernen. Hohes Risiko. Lässt sich nicht rückgängig machen. Du hast etwa zwei Minuten Zeit. 1 erlauben, 2 ablehnen.",
  );
});

test("what may be remembered has a number of its own, and yes and no keep theirs", () => {
  const { answers, answersText } = speakRequest(REMOVAL, { language: "en", rememberable: true });
  expect(answersText).toBe("1 allow, 2 deny, 3 allow for this session.");
  expect(answers).toEqual([
    { number: 1, label: "allow", word: "allow" },
    { number: 2, label: "deny", word: "deny" },
    { number: 3, label: "allow for this session", word: "allow", remember: "session" },
  ]);
});

test("the answers can be left for later", () => {
  expect(speakRequest(REMOVAL, { language: "en", withAnswers: false }).text).not.toContain("1 allow");
});

test.each<[string, NarratedRequest, string]>([
  [
    "an edit",
    request({ title: "Edit", input: { file_path: "/home/ana/shop/src/cart.ts", new_string: "a\nb" } }),
    "Claude in shop wants to edit cart.ts. 2 lines. 1 allow, 2 deny.",
  ],
  [
    "a file elsewhere",
    request({ title: "Write", input: { file_path: "/etc/passwd", content: "x" } }),
    "Claude in shop wants to write passwd. 1 line. Outside of its folder: slash etc slash passwd. 1 allow, 2 deny.",
  ],
  [
    "a way out of the folder",
    request({ input: { command: "rm -rf ../shop2" } }),
    "Claude in shop wants to remove shop2 with everything in it. Outside of its folder: dot dot slash shop 2. 1 allow, 2 deny.",
  ],
  [
    "the root",
    request({ input: { command: "sudo rm -rf /" } }),
    "Claude in shop wants to remove a folder with everything in it. With administrator rights. Outside of its folder: slash. 1 allow, 2 deny.",
  ],
  [
    "a path where no folder is known",
    request({ title: "Read", input: { path: "/a/b.ts" }, facts: {} }),
    "Claude in shop wants to read b.ts. In full: slash a slash b dot ts. 1 allow, 2 deny.",
  ],
  [
    "a tool of a server",
    request({ title: "create_issue", facts: { server: { name: "github" } }, input: { title: "x" } }),
    "Claude in shop wants to use create issue of github. 1 allow, 2 deny.",
  ],
  [
    "a prompt",
    request({ facts: { moment: "prompt" }, input: "Fix `a`" }, { answers: ["continue", "block"] }),
    "Claude in shop wants to take this prompt: Fix a. 1 continue, 2 block.",
  ],
  [
    "the end of a turn",
    request({ facts: { moment: "stop" } }, { answers: ["continue", "block"] }),
    "Claude in shop wants to end its turn. 1 continue, 2 block.",
  ],
  [
    "a confirmation",
    request({ kind: "confirmation", said: [{ name: "action", text: "Drop the table" }] }, { answers: ["accept", "reject"] }),
    "Claude in shop asks, in its own words: Drop the table. 1 accept, 2 reject.",
  ],
  [
    "a handoff",
    request(
      { kind: "handoff", said: [{ name: "reason", text: "Too hard" }], facts: { target_kind: "human" } },
      { answers: ["take-over", "decline"] },
    ),
    "Claude in shop wants to hand over to a human. Why, in its own words: Too hard. 1 take over, 2 decline.",
  ],
])("%s", (_name, asked, text) => {
  expect(told(asked)).toBe(text);
});

describe("a question", () => {
  const choices = [
    { value: "up", label: "Half up" },
    { value: "even", label: "Half even" },
  ];
  const said = [{ name: "question", text: "Which rounding?" }];

  test("has its choices as numbers", () => {
    const { text, answers } = speakRequest(request({ kind: "clarification", said, choices }, { answers: ["respond"] }), { language: "en" });
    expect(text).toBe("It asks, in its own words: Which rounding? 1 Half up, 2 Half even.");
    expect(answers[1]).toEqual({ number: 2, label: "Half even", word: "respond", value: "even" });
  });

  test("of a form names its field", () => {
    const fields = [{ name: "rounding", text: "Which rounding?", kind: "choice", choices }];
    const { answers } = speakRequest(request({ kind: "clarification", said, fields }, { answers: ["respond"] }), { language: "en" });
    expect(answers[0]).toEqual({ number: 1, label: "Half up", word: "respond", value: "up", field: "rounding" });
  });

  test("of several fields has no numbers", () => {
    const fields = ["a", "b"].map((name) => ({ name, text: name, kind: "choice", choices }));
    const { answers, text } = speakRequest(request({ kind: "clarification", said, fields }, { answers: ["respond"] }), { language: "en" });
    expect(answers).toEqual([]);
    expect(text).toContain("2 questions in all.");
  });

  test("has no more than nine", () => {
    const many = Array.from({ length: 20 }, (_, index) => ({ value: `${index}`, label: `Choice ${index}` }));
    expect(
      speakRequest(request({ kind: "clarification", said, choices: many }, { answers: ["respond"] }), { language: "en" }).answers,
    ).toHaveLength(9);
  });
});

describe("what a closer look found", () => {
  const inspection: NarratedInspection = {
    commands: [
      { text: "cp a b", via: [], effect: "Writes /home/ana/shop/b.", dangers: [] },
      {
        text: "rm -rf src",
        via: [],
        effect: "Deletes /home/ana/shop/src, with everything in it.",
        dangers: ["delete-recursive"],
      },
    ],
    files: [],
    dangers: [{ id: "delete-recursive", sentence: "Deletes folders with everything in them." }],
    hidden: ["U+200B zero width space, once."],
    irreversible: true,
    risk: "high",
  };
  const inspected = request({ input: { command: "cp a b; rm -rf src" }, risk: "low" }, { inspection });

  test("is told in place of what the name suggests, what does harm first", () => {
    expect(told(inspected)).toBe(
      "Claude in shop wants to run a command. Deletes /home/ana/shop/src, with everything in it. Writes /home/ana/shop/b. Warning: Deletes folders with everything in them. It holds characters that a screen would hide. High risk. Cannot be undone. 1 allow, 2 deny.",
    );
    expect(speakRequest(inspected, { language: "en" }).risky).toBe(true);
  });

  test("is told in another language, as far as there are words for it", () => {
    expect(told(inspected, "de")).toBe(
      "Claude in shop will einen Befehl ausführen. Entfernt src mit allem darin. Kopiert Dateien. Warnung: Löscht Ordner mit allem darin. Es enthält Zeichen, die ein Bildschirm verbergen würde. Hohes Risiko. Lässt sich nicht rückgängig machen. 1 erlauben, 2 ablehnen.",
    );
  });

  test("of a single command is told at once in another language, with its rights", () => {
    const [, removal] = inspection.commands;
    const commands = removal === undefined ? [] : [removal];
    const one = request({ input: { command: "sudo rm -rf src" } }, { inspection: { ...inspection, commands, dangers: [], hidden: [] } });
    expect(told(one, "de")).toMatch(/^Claude in shop will src mit allem darin entfernen\. Mit Administratorrechten\. Hohes Risiko\./);
  });

  test("is said by an English voice where there are none", () => {
    const { segments } = speakRequest(
      request({}, { inspection: { ...inspection, dangers: [{ id: "melt", sentence: "Melts the machine." }] } }),
      { language: "de" },
    );
    expect(segments).toContainEqual({ text: "Melts the machine.", language: "en" });
  });

  test("has German words for everything the policy knows to do harm", () => {
    expect(Object.keys(GERMAN_DANGERS).sort()).toEqual(DANGERS.map(({ id }) => id).sort());
  });

  test("says when nobody can know", () => {
    const one = request({ input: { command: "$CMD" } }, { inspection: { ...inspection, commands: [], uninspectable: "…" } });
    expect(told(one)).toContain("what it does is only known when it runs");
  });
});

test("the exact text is the command, or every member of the input", () => {
  const exact = (asked: Partial<Asked>) => speakRequest(request(asked), { language: "en" }).exact;
  expect(exact({ input: { command: "rm -rf / tmp", description: "Tidy up" } })).toBe("rm -rf / tmp");
  expect(exact({ title: "Edit", input: { file_path: "a", new_string: "b", n: 1 } })).toBe("file_path: a\nnew_string: b\nn: 1");
  expect(exact({ kind: "confirmation", said: [{ name: "action", text: "Drop it" }] })).toBe("Drop it");
  expect(exact({ input: {} })).toBe("");
  expect(exact({ title: "x", input: { text: "y".repeat(2_000_000) } }).length).toBeLessThanOrEqual(1_000_000);
});
