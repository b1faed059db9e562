import { expect, test } from "vitest";
import { Unfiled } from "./unfiled.ts";

test("never says wrongly that a number is not there, and seldom that one is", () => {
  const unfiled = new Unfiled();
  unfiled.begun();
  for (let number = 0; number < 1024; number++) {
    if (number === 700) unfiled.begun(); // those before are being filed
    unfiled.add(number % 64, number >> 6);
  }
  for (let number = 0; number < 1024; number++) expect(unfiled.mayHave(number % 64, number >> 6)).toBe(true);
  let wrong = 0;
  for (let number = 0; number < 10_000; number++) if (unfiled.mayHave(number % 100, 1000 + number)) wrong++;
  expect(wrong).toBeLessThan(500);
});

test("until filing was done once, any number may be there: a process before this one may have left it", () => {
  const unfiled = new Unfiled();
  expect(unfiled.mayHave(1, 1)).toBe(true);
  unfiled.begun();
  expect(unfiled.mayHave(1, 1)).toBe(true);
  unfiled.begun();
  expect(unfiled.mayHave(1, 1)).toBe(false);
  unfiled.add(1, 1);
  expect(unfiled.mayHave(1, 1)).toBe(true);
  unfiled.forget();
  unfiled.begun();
  expect(unfiled.mayHave(2, 2)).toBe(true);
});

test("a number is known until its filing is done, which is when the next one begins", () => {
  const unfiled = new Unfiled();
  for (let turn = 0; turn < 2; turn++) unfiled.begun();
  unfiled.add(1, 1);
  unfiled.begun();
  unfiled.add(2, 2);
  expect([unfiled.mayHave(1, 1), unfiled.mayHave(2, 2)]).toEqual([true, true]);
  unfiled.begun();
  expect([unfiled.mayHave(1, 1), unfiled.mayHave(2, 2)]).toEqual([false, true]);
});

test("asks for filing when there are many, once", () => {
  const unfiled = new Unfiled(3);
  for (const many of [false, false, true]) {
    unfiled.count();
    expect(unfiled.areMany).toBe(many);
  }
  unfiled.willBeFiled();
  expect(unfiled.areMany).toBe(false);
});
