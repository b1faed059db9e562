import { expect, it } from "vitest";
import { commandEngine } from "./engines.ts";

const CALL = { text: "It wants to run {rate}; rm 'x'", paceWpm: 200, language: "de", voice: undefined };

it("puts rate, language and text into words, and makes no word of two", () => {
  const engine = commandEngine('speak --rate={rate} "-l {lang}" {text}');
  expect(engine.command).toBe("speak");
  expect(engine.textOn).toBe("words");
  expect(engine.words(CALL)).toEqual(["--rate=200", "-l de", CALL.text]);
});

it("without a place for the text it comes on stdin", () => {
  const engine = commandEngine("'/opt/my voice/speak' {lang}");
  expect(engine.command).toBe("/opt/my voice/speak");
  expect([engine.textOn, engine.words(CALL)]).toEqual(["stdin", ["de"]]);
});

it("no command is no voice", () => {
  for (const template of ["", "  ", "''"]) expect(() => commandEngine(template)).toThrow("--voice names no command.");
});
