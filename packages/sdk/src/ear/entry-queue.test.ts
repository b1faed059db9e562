import { expect, it } from "vitest";
import { EntryQueue } from "./entry-queue.ts";
import { someConfirmation, someEntry } from "./testing/some-request.ts";

const never = () => false;

it("what may ask waits a moment for the hub's word, and what follows waits with it", () => {
  const queue = new EntryQueue();
  queue.push([someConfirmation({ position: 1 }), someEntry({ position: 2 }), someConfirmation({ position: 3 })], 1000);
  expect(queue.take(1000, never).map(({ position }) => position)).toEqual([1]);
  expect(queue.dueAt()).toBe(1250);
  expect(queue.take(1249, never)).toEqual([]);
  expect(queue.take(1250, never).map(({ position }) => position)).toEqual([2, 3]);
  expect(queue.dueAt()).toBeUndefined();
});

it("waits no longer once the hub has spoken", () => {
  const queue = new EntryQueue();
  queue.push([someEntry({ position: 2 }), someEntry({ position: 3 })], 1000);
  expect(queue.take(1001, (position) => position === 2).map(({ position }) => position)).toEqual([2]);
});

it("waits for nobody who cannot ask", () => {
  const queue = new EntryQueue();
  queue.push([someEntry({ verified: false }), someEntry({ type: "action.completed" })], 1000);
  expect(queue.take(1000, never)).toHaveLength(2);
});
