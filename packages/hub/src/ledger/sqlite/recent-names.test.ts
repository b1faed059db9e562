import { expect, test } from "vitest";
import { RecentNames } from "./recent-names.ts";

test("knows where the newest names were used last, lets the oldest go, and forgets when told to", () => {
  const names = new RecentNames();
  for (let number = 0; number < 2000; number++) names.add(`1 n${number}`, number);
  names.add("1 n1990", 7);
  expect(names.sessionOf("1 n1990")).toBe(7);
  for (let number = 2000 - 512; number < 1990; number++) expect(names.sessionOf(`1 n${number}`)).toBe(number);
  expect(names.sessionOf("1 n0")).toBeUndefined();
  expect(names.sessionOf("2 n1999")).toBeUndefined();
  names.forget();
  expect(names.sessionOf("1 n1999")).toBeUndefined();
});
